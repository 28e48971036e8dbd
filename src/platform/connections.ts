import { Agent } from "node:http";

/** Connections to one server that are kept for the next request; each server has its own. */
export class Connections implements Disposable {
  /** What `node:http` takes them from. */
  readonly agent: Agent = new Agent({ keepAlive: true, maxFreeSockets: 8 });

  /** Closes all. */
  [Symbol.dispose](): void {
    this.agent.destroy();
  }
}
