import { client } from "$lib/client.ts";

let last: Promise<unknown> = Promise.resolve();

/** Settles something of an app, after what was chosen just before: the daemon takes one change of an app at a time. */
export function settle(app: string, settings: Parameters<typeof client.appSettle>[1]): Promise<unknown> {
  return last = last.catch(() => {}).then(() => client.appSettle(app, settings));
}
