import type { FrontRequest, FrontResponse, RawHeader } from "../../src/platform/mod.ts";

/** A request that never came over a wire. */
export function frontRequest(
  target: string,
  headers: Readonly<Record<string, string>> | readonly RawHeader[] = {},
  method = "GET",
): FrontRequest {
  return {
    method,
    target,
    headers: Array.isArray(headers) ? headers : Object.entries(headers),
    gone: new AbortController().signal,
    cut() {},
    text: () => Promise.resolve(""),
    pieces: async function* () {},
  };
}

/** Keeps what it is told to send. */
export class KeptResponse implements FrontResponse {
  status = 0;
  headers: Readonly<Record<string, string>> = {};
  text = "";

  async send(
    status: number,
    headers: readonly RawHeader[],
    body?: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.status = status;
    this.headers = Object.fromEntries(headers);
    const decoder = new TextDecoder();
    if (body instanceof Uint8Array) this.text = decoder.decode(body);
    else if (body) { for await (const piece of body) this.text += decoder.decode(piece, { stream: true }); }
  }

  forward(): Promise<void> {
    throw new Error("nothing is forwarded here");
  }
}
