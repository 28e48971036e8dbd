/**
 * `handler_app.js`: what the backend of a mini app is written with. This file says all there is; the program beside it
 * does it. Both are Handler's and come with the template: leave them as they are.
 *
 * ```ts
 * import { serve } from "./vendor/handler_app.js";
 *
 * await serve({
 *   migrations: new URL("./migrations/", import.meta.url),
 *   routes: {
 *     "GET /api/notes": ({ db, person }) => db.all("SELECT * FROM notes WHERE person = ?", person),
 *   },
 * });
 * ```
 */

/** A value that SQLite takes and gives. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A row: column to value. */
export type Row = Record<string, SqlValue>;

/** The app's one database: `app.db` in its data folder, in WAL mode, foreign keys on. Every call is synchronous. */
export interface Database {
  /** Runs one statement. `id` is the row that an INSERT made. */
  run(sql: string, ...values: SqlValue[]): { readonly changes: number; readonly id: number };
  /** The first row, or undefined. */
  get<T extends object = Row>(sql: string, ...values: SqlValue[]): T | undefined;
  /** All rows. */
  all<T extends object = Row>(sql: string, ...values: SqlValue[]): T[];
  /** Runs any number of statements, without values. */
  exec(sql: string): void;
  /** All of `work` counts, or nothing. No `await` inside: nothing else runs meanwhile. */
  transaction<T>(work: () => T): T;
}

/** One request, as a route gets it. */
export interface Call {
  readonly request: Request;
  readonly url: URL;
  /** What the `:names` of the route's path stand for. */
  readonly params: Readonly<Record<string, string>>;
  /** Who asks. Handler settles it; a page cannot forge it. */
  readonly person: string;
  readonly db: Database;
  /** Aborts when the request is over: the page went away, or has its answer. */
  readonly signal: AbortSignal;
  /** The same for a call that is sent a second time: what a queued route must not do twice. */
  readonly idempotencyKey: string | undefined;
  /** The body as JSON, at most 1 MiB. @throws {Refusal} 400, 413 or 415 */
  json(): Promise<unknown>;
  /** The body as bytes, at most `limit` of them. @throws {Refusal} 413 */
  bytes(limit: number): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Answers a request: a `Response` as it is, nothing as 204, anything else as JSON. A thrown {@linkcode Refusal} is
 * told to the page; whatever else is thrown goes to the app's log and is a plain 500 to the page.
 */
export type Route = (call: Call) => unknown;

/** What an app is made of. */
export interface App {
  /**
   * The folder with `001_name.sql`, `002_name.sql` …, each applied once, in order, in a transaction of its own. A step
   * that needs code is `003_name.ts` with `export function migrate(db: Database): void`.
   */
  readonly migrations: URL;
  /** `"GET /api/notes/:id"` to what answers it. `GET /api/health` is there already. */
  readonly routes: Readonly<Record<string, Route>>;
}

/**
 * Runs the app as Handler starts it: opens the database, migrates it, listens, and on SIGTERM finishes the requests
 * under way, writes everything into `app.db` and ends. An app that cannot start ends with the reason in its log.
 */
export function serve(app: App): Promise<void>;

/** How a test asks. */
export interface TestCall {
  /** `owner` where it is not said. */
  readonly person?: string;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Record<string, string>;
}

/** An app without a socket, for tests. */
export interface OpenApp extends Disposable {
  readonly db: Database;
  /** `app.call("POST /api/notes", { person: "alice", json: { text: "hello" } })` */
  call(route: string, options?: TestCall): Promise<Response>;
  fetch(request: Request): Promise<Response>;
}

/** Opens an app for a test; `:memory:` as `data` is a database that is gone afterwards. */
export function openApp(app: App, options: { readonly data: string }): Promise<OpenApp>;

/** A "no" that the page is told: `throw new Refusal(404, "there is no such note")`. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string);
}

/** Sends one event of a stream; the data travels as JSON. */
export type SendEvent = (data: unknown, event?: string) => void;

/**
 * Answers with server-sent events for as long as `produce` runs. A stream that is open keeps the app running: end it,
 * or let the page close it while nobody looks.
 */
export function events(
  call: Call,
  produce: (send: SendEvent, signal: AbortSignal) => Promise<void>,
): Response;

/** What a person is told (`needs.notify = true` in `app.toml`). */
export interface Notice {
  readonly title: string;
  readonly text: string;
  /** A path of the app's own page, opened with the notice. */
  readonly link?: string;
  /** Who is told; `owner` where it is not said. */
  readonly person?: string;
}

/**
 * Puts a notice into a person's inbox. Without Handler (`deno task dev`) it is printed.
 * @throws {HandlerRefused} where Handler says no: too many at once, or the app did not ask for it in `app.toml`
 */
export function notify(notice: Notice): Promise<void>;

/** Handler said no to what the app asked of it. */
export class HandlerRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string);
}

/**
 * Calls a tool of a service that `needs.services` names: `await callService("ocr_extract", { path: "a.jpg" })`. A path
 * is a file in the app's data folder.
 * @throws {ServiceError} with one of the codes that the service declares, or `unavailable`
 */
export function callService<T = unknown>(
  tool: string,
  input: unknown,
  options?: { readonly signal?: AbortSignal },
): Promise<T>;

/** A service's own error; `code` is one that its interface declares. */
export class ServiceError extends Error {
  readonly code: string;
  constructor(code: string, message: string);
}

/** The app's data folder: files that belong to it lie here beside `app.db`. */
export function dataFolder(): string;
