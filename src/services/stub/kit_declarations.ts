/**
 * What a connector's author sees of `@handler/connector`, as declarations: they lie beside a stub, so that it can be
 * checked and edited where Handler's own source is not. A test holds them to the kit itself.
 */
export const KIT_DECLARATIONS = `/** The connector kit, \`@handler/connector\`, as a connector sees it. */

/** A file that the caller handed over. Its name and path are not known here. */
export interface HandlerFile {
  readonly kind: "file";
  /** Bytes. */
  readonly size: number;
  /** What Handler took it for; look at the bytes where it matters. */
  readonly mediaType: string;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  stream(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  base64(): Promise<string>;
}

/** A file that the caller wants written. It reaches the caller's folder only when the call succeeds. */
export interface HandlerOutput {
  readonly kind: "output";
  /** Writes the whole file; a second time replaces the first. */
  write(content: Uint8Array | string | ReadableStream<Uint8Array>, mediaType: string): Promise<void>;
}

/** What one tool takes and gives. */
export interface ToolTypes {
  readonly input: unknown;
  readonly output: unknown;
}

/** What a handler gets besides its input. */
export interface Call<Code extends string = string> {
  /** Aborted when the caller cancels, goes away, or the time is up. Hand it to every fetch and long loop. */
  readonly signal: AbortSignal;
  /** Every file of the input, in the order it stands there. */
  readonly files: readonly HandlerFile[];
  /** The W3C trace context of the call, where the caller gave one. */
  readonly traceparent: string | undefined;
  /** Tells how far the work is. */
  progress(done: number, total?: number, message?: string): void;
  /** Gives a piece of the answer's text while it is made; all of them together are the text of the output. */
  piece(text: string): void;
  /** Ends the call with one of the interface's error codes and a message for the agent. */
  fail(code: Code | "invalid_input" | "limit", message: string): never;
  /** Counts what the call used ({ pages: 3 }), for the call record; called again, it adds. */
  units(counted: Readonly<Record<string, number>>): void;
  /** A line for the operator's log; never a payload or a secret. */
  log(message: string): void;
}

/** One function for each tool of the interface, by the tool's name. */
export type Handlers<T extends { readonly [K in keyof T]: ToolTypes }, Code extends string = string> = {
  readonly [K in keyof T]: (input: T[K]["input"], call: Call<Code>) => Promise<T[K]["output"]> | T[K]["output"];
};

/** Serves the tools of an interface. */
export function serve<T extends { readonly [K in keyof T]: ToolTypes }, Code extends string = string>(
  handlers: Handlers<T, Code>,
): void;

/** The value of a setting or secret by its variable's name; empty counts as unset. */
export function setting(variable: string): string | undefined;
export function setting(variable: string, fallback: string): string;

/** A setting or secret that must be there. */
export function required(variable: string): string;

/** A setting that is a whole number of at least \`least\` (1 where it is not given). */
export function numberSetting(variable: string, fallback: number, least?: number): number;

/** The media type that a file's first bytes tell; undefined where nothing is recognised. */
export function sniff(bytes: Uint8Array): string | undefined;
`;
