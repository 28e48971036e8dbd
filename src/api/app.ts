import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { asHandlerError, type Clock, HandlerError, type Logger } from "../base/mod.ts";
import { BODY_LIMIT, FILE_LIMIT } from "./body.ts";
import { errorResponse } from "./errors.ts";
import { socketActor } from "./guard.ts";
import type { Operations } from "./ports.ts";
import type { ApiEnvironment, Route } from "./route.ts";
import { appRoutes } from "./routes/apps.ts";
import { catalogRoutes } from "./routes/catalog.ts";
import { configurationRoutes } from "./routes/configuration.ts";
import { daemonRoutes } from "./routes/daemon.ts";
import { deskRoutes } from "./routes/desk.ts";
import { callRoutes } from "./routes/desk_calls.ts";
import { deskLinkRoutes } from "./routes/desk_link.ts";
import { trialRoutes } from "./routes/desk_trials.ts";
import { peopleRoutes } from "./routes/people.ts";
import { safetyRoutes } from "./routes/safety.ts";
import { threadRoutes } from "./routes/threads.ts";
import { welcomeRoutes } from "./routes/welcome.ts";
import { workRoutes } from "./routes/work.ts";

/** What the API is made of. */
export interface ApiParts {
  readonly operations: Operations;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The local API as an application of Hono. */
export type Api = Hono<ApiEnvironment>;

/**
 * The daemon's API: every operation under `/v1/…`, in JSON. A request gets its actor before any handler sees it; one
 * that the door it came in by refuses ends there. An error is `{ "error": { kind, message, hint, where,
 * problems } }` with the status of its kind.
 */
export function createApi({ operations, log, clock }: ApiParts): Api {
  const app: Api = new Hono<ApiEnvironment>();
  app.use(async (c, next) => {
    const began = clock.monotonic();
    await next();
    log.log("debug", "request", {
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(clock.monotonic() - began),
    });
  });
  app.use(async (c, next) => {
    c.set("actor", (c.env?.guard ?? socketActor)(c.req.raw)); // without a word the stricter door
    await next();
  });
  const limits = { body: limit(BODY_LIMIT), message: limit(BODY_LIMIT, AS_A_FILE), file: limit(FILE_LIMIT) };
  app.use((c, next) => {
    const { path } = c.req;
    if (UNBOUNDED.test(path)) return next();
    const [, what] = /^\/v1\/threads\/[^/]+\/(file|messages)$/.exec(path) ?? [];
    return limits[what === "file" ? "file" : what === "messages" ? "message" : "body"](c, next);
  });
  addRoutes(app, [
    ...daemonRoutes(operations),
    ...deskLinkRoutes(operations),
    ...deskRoutes(operations),
    ...callRoutes(operations),
    ...trialRoutes(operations),
    ...catalogRoutes(operations),
    ...configurationRoutes(operations),
    ...safetyRoutes(operations),
    ...workRoutes(operations),
    ...appRoutes(operations),
    ...peopleRoutes(operations),
    ...threadRoutes(operations),
    ...welcomeRoutes(operations),
  ]);
  app.notFound((c) => errorResponse(new HandlerError("not_found", `there is nothing at ${c.req.path}`)));
  app.onError((thrown, c) => failed(thrown, c, log));
  return app;
}

function addRoutes(app: Api, routes: readonly Route[]): void {
  for (const { method, path, handle } of routes) app.on(method, path, handle);
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map((route) => route.method).join(", ");
    app.all(path, (c) => {
      const error = new HandlerError("usage", `${path} takes ${allowed}, found ${c.req.method}`);
      const response = errorResponse(error, 405);
      response.headers.set("allow", allowed);
      return response;
    });
  }
}

/** What is read as it comes, with limits of its own. */
const UNBOUNDED = /^\/v1\/(threads\/import|trials\/[^/]+\/files\/[^/]+)$/;

const AS_A_FILE =
  "a longer text goes with the message as a file: handler thread send THREAD TEXT --file PATH";

/** Refuses bodies that are larger. */
function limit(maxSize: number, hint?: string) {
  const error = new HandlerError(
    "usage",
    `a request's body has at most ${maxSize} bytes`,
    hint === undefined ? {} : { hint },
  );
  return bodyLimit({ maxSize, onError: () => errorResponse(error, 413) });
}

function failed(thrown: Error, c: Context<ApiEnvironment>, log: Logger): Response {
  const error = asHandlerError(thrown, `${c.req.method} ${c.req.path}`);
  if (error !== thrown) log.log("error", error.message, { stack: thrown.stack });
  return errorResponse(error);
}
