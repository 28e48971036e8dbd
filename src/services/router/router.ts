import { errorText } from "../../base/mod.ts";
import {
  closeQuietly,
  type Connection,
  ensureFolder,
  listenUnix,
  setMode,
  type UnixListener,
} from "../../platform/mod.ts";
import { Deadlines } from "./deadlines.ts";
import { Gate } from "./gate.ts";
import { InsideCalls } from "./inside.ts";
import { Instances } from "./instances.ts";
import type { Caller, RouterPorts, ServedInterface } from "./ports.ts";
import { CallerSession } from "./session.ts";

/** The sockets of one caller, one per interface, in a folder that only its sandbox mounts. */
export interface CallerSockets {
  /** Host folder with `<interface>.sock` for each interface served. */
  readonly folder: string;
  /** Ends the connections and removes the sockets. */
  close(): Promise<void>;
}

/** What is served to a caller: interface name to the interface of the version it uses. */
export type ServedSet = ReadonlyMap<string, ServedInterface>;

/** The service router (seed §5): sockets for callers on one side, connectors on the other. */
export class Router {
  readonly instances: Instances;
  readonly #ports: RouterPorts;
  readonly #open = new Set<CallerSockets>();

  constructor(ports: RouterPorts) {
    this.#ports = ports;
    this.instances = new Instances(ports);
  }

  /**
   * Opens a caller's sockets in `folder`, which is made where it is not there. Who the caller is follows from the socket
   * alone; its selection is asked for at each call, so that a swap needs no new connection.
   */
  async open(caller: Caller, folder: string, served: ServedSet): Promise<CallerSockets> {
    await ensureFolder(folder);
    await setMode(folder, 0o755); // the folders above are 0700; the sandbox's user may be another one
    const listeners: CallerSocket[] = [];
    const sockets: CallerSockets = {
      folder,
      close: async () => {
        this.#open.delete(sockets);
        await Promise.all(listeners.map((listener) => listener.close()));
      },
    };
    try {
      for (const [name, one] of served) {
        listeners.push(
          await CallerSocket.listen(`${folder}/${name}.sock`, caller, one, this.#ports, this.instances),
        );
      }
    } catch (error) {
      await sockets.close();
      throw error;
    }
    this.#open.add(sockets);
    return sockets;
  }

  /** Calls of the daemon's own on an interface; the caller closes them. */
  inside(served: ServedInterface): InsideCalls {
    return new InsideCalls({ ports: this.#ports, instances: this.instances, served });
  }

  /** Closes every socket, then stops every connector. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((sockets) => sockets.close()));
    await this.instances.close();
  }
}

class CallerSocket {
  readonly #listener: UnixListener;
  readonly #sessions = new Set<CallerSession>();
  readonly #deadlines: Deadlines;
  readonly #served: Promise<void>;

  private constructor(
    listener: UnixListener,
    caller: Caller,
    served: ServedInterface,
    ports: RouterPorts,
    instances: Instances,
  ) {
    this.#listener = listener;
    const { maxConcurrent, timeoutSeconds } = served.definition.limits;
    const gate = new Gate(maxConcurrent);
    const deadlines = this.#deadlines = new Deadlines(ports.clock, timeoutSeconds * 1000);
    const shared = { ports, instances, caller, served, gate, deadlines };
    const before = caller.run ?? (() => 0);
    const whole = before === "connection" ? undefined : { calls: before(served.definition.id) };
    this.#served = this.#accept((connection) => {
      const run = whole ?? { calls: 0 };
      return new CallerSession(connection, { ...shared, run, connections: new Map() });
    }).catch((error) => ports.log.log("error", `the socket ${listener.path} broke: ${errorText(error)}`));
  }

  static async listen(
    path: string,
    caller: Caller,
    served: ServedInterface,
    ports: RouterPorts,
    instances: Instances,
  ): Promise<CallerSocket> {
    const listener = await listenUnix(path);
    await setMode(path, 0o666);
    return new CallerSocket(listener, caller, served, ports, instances);
  }

  async #accept(make: (connection: Connection) => CallerSession): Promise<void> {
    for await (const connection of this.#listener) {
      if (this.#sessions.size >= CONNECTION_LIMIT) {
        closeQuietly(connection);
        continue;
      }
      const session = make(connection);
      this.#sessions.add(session);
      void session.serve().finally(() => this.#sessions.delete(session));
    }
  }

  async close(): Promise<void> {
    this.#listener.close();
    for (const session of this.#sessions) session.close();
    await this.#served;
    this.#deadlines.close();
  }
}

/** How many connections one caller may hold to one interface. */
const CONNECTION_LIMIT = 64;
