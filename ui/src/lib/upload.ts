import type { TrialFile } from "$client";
import { client } from "./client.ts";

/** Puts a person's file into a trial's folder, under a name that the folder takes. */
export async function uploadForTrial(trial: string, file: File): Promise<TrialFile> {
  const name = file.name.replaceAll(/[/\\\p{Cc}]/gu, "_").replace(/^\.+/, "") || "file";
  return await client.trialPut(trial, name, file);
}
