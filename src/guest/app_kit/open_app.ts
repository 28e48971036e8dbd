import type { App, Call, OpenApp, TestCall } from "./handler_app.d.ts";
import { answer, failure, json } from "./answer.ts";
import { readBytes, readJson } from "./body.ts";
import { openDatabase, type OwnDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migration_files.ts";
import { Refusal } from "./refusal.ts";
import { Router } from "./router.ts";

/** Opens an app's database and routes; `data` is its folder, or `:memory:`. */
export async function openApp(app: App, { data }: { readonly data: string }): Promise<OpenApp> {
  const router = new Router(app.routes);
  const steps = readMigrations(app.migrations);
  const db = openDatabase(data === ":memory:" ? data : `${data}/app.db`);
  try {
    await migrate(db, steps);
  } catch (error) {
    db.close();
    throw error;
  }
  const handle = (request: Request) => respond(request, router, db);
  return {
    db,
    fetch: handle,
    call: (route, options = {}) => handle(testRequest(route, options)),
    [Symbol.dispose]: () => db.close(),
  };
}

async function respond(request: Request, router: Router, db: OwnDatabase): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === "/api/health") return json(200, { ok: true });
  const found = router.find(request.method, url.pathname);
  if (!("route" in found)) return missing(url, found);
  try {
    return answer(await found.route(callOf(request, url, found.params, db)));
  } catch (error) {
    return failure(error, (text) => console.error(`${request.method} ${url.pathname}: ${text}`));
  }
}

function missing(url: URL, methods: readonly string[]): Response {
  if (methods.length === 0) return json(404, { error: `there is no ${url.pathname}` });
  return json(405, { error: `${url.pathname} takes ${methods.join(", ")}` }, { allow: methods.join(", ") });
}

function callOf(request: Request, url: URL, params: Call["params"], db: OwnDatabase): Call {
  const person = request.headers.get("x-handler-person");
  if (!person) throw new Refusal(400, "the request says not who asks: X-Handler-Person is missing");
  return {
    request,
    url,
    params,
    person,
    db,
    // asked for only where a route looks at it: Deno warns of what it does after an answer
    get signal() {
      return request.signal;
    },
    idempotencyKey: request.headers.get("idempotency-key") ?? undefined,
    json: () => readJson(request),
    bytes: (limit) => readBytes(request, limit),
  };
}

function testRequest(route: string, { person = "owner", json: value, body, headers }: TestCall): Request {
  const [method = "GET", path = ""] = route.split(" ");
  const type: Record<string, string> = value === undefined ? {} : { "content-type": "application/json" };
  const content = value === undefined ? body : JSON.stringify(value);
  return new Request(`http://app.test${path}`, {
    method,
    headers: { "x-handler-person": person, ...type, ...headers },
    ...(content === undefined ? {} : { body: content }),
  });
}
