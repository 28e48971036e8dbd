import { client } from "./client.ts";

/** Opens an app in a window of its own, with a one-time link; `path` is one of the app's own page. */
export async function openApp(name: string, path: string | null = null, person = "owner"): Promise<void> {
  const { url } = await client.appLink(name, person);
  globalThis.open(url + (path ?? ""), "_blank", "noopener");
}
