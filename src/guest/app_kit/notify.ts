import type { Notice } from "./handler_app.d.ts";
import { variable } from "./environment.ts";

/** Handler said no. */
export class HandlerRefused extends Error {
  override readonly name = "HandlerRefused";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Puts a notice into a person's inbox. */
export async function notify(notice: Notice): Promise<void> {
  const socket = variable("HANDLER_APP_API");
  if (socket === undefined) {
    console.error(`notice for ${notice.person ?? "owner"}: ${notice.title}: ${notice.text}`);
    return;
  }
  const { status, text } = await post(socket, "/notify", JSON.stringify(notice));
  if (status >= 300) {
    throw new HandlerRefused(status, messageIn(text) ?? `Handler answered ${status} to a notice`);
  }
}

function messageIn(text: string): string | undefined {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    return [message, error].find((one) => typeof one === "string") as string | undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` would ask for the permission to reach a host; this socket is all there is. */
async function post(
  socketPath: string,
  path: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    const headers = {
      "host": "handler",
      "content-type": "application/json",
      "content-length": String(new TextEncoder().encode(body).length),
      "connection": "close",
    };
    const asked = request({ socketPath, path, method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => text += chunk);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
