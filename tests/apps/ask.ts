import { request } from "node:http";
import { connect } from "node:net";
import type { Desk } from "./desk.ts";

/** An answer with its headers in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** What is asked. */
export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends a request to a port of this machine and reads the whole answer. */
export function askPort(port: number, { method = "GET", path = "/", headers = {}, body }: Ask) {
  return new Promise<Answer>((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece) => text += piece).on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** A browser's view of an app: its own origin and its cookie. */
export interface Visit {
  readonly port: number;
  readonly host: string;
  readonly origin: string;
  readonly cookie: string;
  /** Asks as the app's own page does. */
  ask(asked: Ask): Promise<Answer>;
}

/** Opens an app as a person does, through a one-time link. */
export async function visit(desk: Desk, name: string, person = "owner"): Promise<Visit> {
  const port = await desk.port();
  const host = `${name}.localhost:${port}`, origin = `http://${host}`;
  const { headers, status } = await askPort(port, {
    method: "POST",
    path: "/_handler/open",
    headers: { host, origin },
    body: desk.sessions.link(name, person),
  });
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0];
  if (cookie === undefined) throw new Error(`the link of ${name} was not taken: ${status}`);
  return {
    port,
    host,
    origin,
    cookie,
    ask: ({ headers, ...asked }) =>
      askPort(port, { ...asked, headers: { host, origin, cookie, ...headers } }),
  };
}

/** Sends bytes as they are and gives everything that comes back until the end, or until nothing came for a while. */
export function rawAsk(port: number, text: string, quietMs = 2_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    socket.setEncoding("latin1").setTimeout(quietMs, () => socket.destroy());
    socket.on("data", (piece) => got += piece).on("error", reject).on("close", () => resolve(got));
    socket.write(text, "latin1");
  });
}

/** The status of each answer in what {@linkcode rawAsk} gave. */
export function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}
