import { request } from "node:http";

/**
 * Asks a server on a unix socket and gives the status of its answer; the body is dropped.
 * @throws when nobody answers, or not within `timeoutMs`
 */
export function requestUnix(
  socketPath: string,
  method: string,
  path: string,
  timeoutMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath, method, path, headers: { host: "app", connection: "close" } },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
        answer.on("error", reject);
      },
    );
    asked.setTimeout(timeoutMs, () => asked.destroy(new Error("no answer in time")));
    asked.on("error", reject);
    asked.end();
  });
}
