import { request } from "node:http";

/** An answer as a browser gets it. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookie: string | undefined;
}

/** What a browser window of an app does, without a browser: opens a one-time link, then calls the app's own API. */
export class AppWindow {
  readonly #origin: URL;
  readonly #cookie: string;

  private constructor(origin: URL, cookie: string) {
    this.#origin = origin;
    this.#cookie = cookie;
  }

  /** Spends the link as its page does. */
  static async open(link: string): Promise<AppWindow> {
    const url = new URL(link);
    const answer = await ask(url, "POST", url.pathname, {}, url.hash.slice(1));
    if (answer.cookie === undefined) {
      throw new Error(`the link was refused with ${answer.status}: ${answer.text}`);
    }
    return new AppWindow(url, answer.cookie);
  }

  /** A request from the app's page. @throws where the answer is no success */
  async call(method: string, path: string, body?: unknown): Promise<string> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const type: Record<string, string> = text === undefined ? {} : { "content-type": "application/json" };
    const answer = await ask(this.#origin, method, path, { cookie: this.#cookie, ...type }, text);
    if (answer.status >= 400) {
      throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    }
    return answer.text;
  }
}

/** `<app>.localhost` is the loopback address for every browser, whatever the machine's resolver says. */
function ask(
  to: URL,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: "127.0.0.1",
      port: to.port,
      method,
      path,
      headers: { host: to.host, origin: to.origin, ...headers },
    }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => text += piece);
      answer.on("error", reject);
      answer.on("end", () => {
        const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0];
        resolve({ status: answer.statusCode ?? 0, text, cookie });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
