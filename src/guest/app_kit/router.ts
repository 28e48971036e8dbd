import type { Route } from "./handler_app.d.ts";

/** A route that fits a request. */
export interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Known {
  readonly method: string;
  readonly parts: readonly string[];
  readonly route: Route;
}

const FORM = /^(GET|POST|PUT|PATCH|DELETE) (\/api(?:\/(?::[a-z][A-Za-z0-9]*|[A-Za-z0-9._~-]+))+)$/;

/** Finds routes; what is wrong with one is said at once, not when it is first asked for. */
export class Router {
  readonly #known: readonly Known[];

  constructor(routes: Readonly<Record<string, Route>>) {
    this.#known = Object.entries(routes).map(([name, route]) => {
      const [, method, path] = FORM.exec(name) ?? [];
      if (!method || !path) {
        throw new Error(`a route is like "GET /api/notes/:id", found ${JSON.stringify(name)}`);
      }
      return { method, parts: path.split("/"), route };
    });
  }

  /** The route of a request, or the methods that its path knows: none for a path that is not there. */
  find(method: string, path: string): Found | readonly string[] {
    const parts = path.split("/");
    const fitting = this.#known.flatMap((known) => {
      const params = match(known.parts, parts);
      return params ? [{ method: known.method, route: known.route, params }] : [];
    });
    return fitting.find((one) => one.method === method) ?? fitting.map((one) => one.method);
  }
}

function match(wanted: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
      continue;
    }
    const decoded = decode(value);
    if (!decoded) return undefined;
    params[part.slice(1)] = decoded;
  }
  return params;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // no path that anybody means
  }
}
