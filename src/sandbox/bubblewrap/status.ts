import { readTextIfThere } from "../../platform/mod.ts";

/** What bubblewrap has written of a sandbox so far. */
export interface Status {
  /** The first process of the sandbox's own process namespace, as the host counts it; with it all others end. */
  readonly initPid?: number;
  readonly exitCode?: number;
}

/** Reads bubblewrap's status file: one JSON object a line, at first none. */
export async function readStatus(file: string): Promise<Status> {
  const text = await readTextIfThere(file) ?? "";
  const number = (key: string) => {
    const found = new RegExp(`"${key}": (\\d+)`).exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [initPid, exitCode] = [number("child-pid"), number("exit-code")];
  return {
    ...(initPid === undefined ? {} : { initPid }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}
