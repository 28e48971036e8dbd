import { client } from "./client.ts";

/** Opens an app in a window of its own, with a one-time link; `path` is one of the app's own page. */
export async function openApp(name: string, path: string | null = null): Promise<void> {
  const { url } = await client.appLink(name, "owner");
  globalThis.open(url + (path ?? ""), "_blank", "noopener");
}
