import type { AppServing } from "../../apps/mod.ts";
import type { FrontRequest } from "../../platform/mod.ts";

interface Exchange {
  readonly app: string;
  readonly person: string;
  readonly request: Pick<FrontRequest, "cut">;
}

/** What is under way between persons and backends: it is cut as soon as its person may not use the app any more. */
export class Exchanges {
  readonly #open = new Set<Exchange>();
  readonly #apps: AppServing;

  constructor(apps: AppServing) {
    this.#apps = apps;
    apps.onAccess(() => this.#cutLost());
  }

  /** Counts one in until what it gives is disposed. */
  begin(app: string, person: string, request: Pick<FrontRequest, "cut">): Disposable {
    const exchange: Exchange = { app, person, request };
    this.#open.add(exchange);
    return { [Symbol.dispose]: () => void this.#open.delete(exchange) };
  }

  #cutLost(): void {
    for (const { app, person, request } of [...this.#open]) {
      if (!this.#apps.mayUse(app, person)) request.cut();
    }
  }
}
