import { within } from "../../src/base/mod.ts";
import { TextLineStream } from "./lines.ts";

/** The system's own Python, which has the bindings of D-Bus. */
const PYTHON = "/usr/bin/python3";

/** A session bus of its own in an empty home, as a login makes one; the machine's own desktop is out of reach. */
export interface DesktopSession extends AsyncDisposable {
  readonly root: string;
  /** Leaves only these programs on the search path. */
  onlyPrograms(...names: readonly string[]): Promise<void>;
  /** Starts a notification service that can do what is named; gives what it was told. */
  notifications(...capabilities: readonly string[]): Promise<NotificationService>;
}

/** What stands in for the desktop's notification service. */
export interface NotificationService extends AsyncDisposable {
  next(): Promise<Readonly<Record<string, unknown>>>;
}

const VARIABLES = [
  "DBUS_SESSION_BUS_ADDRESS",
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "XDG_RUNTIME_DIR",
  "PATH",
] as const;

/** Begins a session; this process is in it until its end. */
export async function desktopSession(): Promise<DesktopSession> {
  const root = await Deno.makeTempDir({ prefix: "hd-" });
  const before = VARIABLES.map((name) => [name, Deno.env.get(name)] as const);
  const own = {
    HOME: root,
    XDG_CONFIG_HOME: `${root}/c`,
    XDG_DATA_HOME: `${root}/d`,
    XDG_CACHE_HOME: `${root}/k`,
  };
  await Deno.mkdir(`${root}/r`, { mode: 0o700 });
  for (const [name, value] of Object.entries({ ...own, XDG_RUNTIME_DIR: `${root}/r` })) {
    Deno.env.set(name, value);
  }
  const bus = new Deno.Command("dbus-run-session", {
    args: ["--", "sh", "-c", 'echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat'],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = bus.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
  Deno.env.set("DBUS_SESSION_BUS_ADDRESS", (await lines.read()).value ?? "");
  return {
    root,
    async onlyPrograms(...names) {
      await Deno.mkdir(`${root}/bin`);
      for (const name of names) await Deno.symlink(`/usr/bin/${name}`, `${root}/bin/${name}`);
      Deno.env.set("PATH", `${root}/bin`);
    },
    notifications,
    async [Symbol.asyncDispose]() {
      await bus.stdin.close();
      await lines.cancel();
      await bus.status;
      for (const [name, value] of before) {
        if (value === undefined) Deno.env.delete(name);
        else Deno.env.set(name, value);
      }
      await Deno.remove(root, { recursive: true });
    },
  };
}

async function notifications(...capabilities: readonly string[]): Promise<NotificationService> {
  const script = new URL("./notifications.py", import.meta.url).pathname;
  const service = new Deno.Command(PYTHON, {
    args: [script, ...capabilities],
    stdout: "piped",
    stdin: "null",
  }).spawn();
  const lines = service.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())
    .getReader();
  const next = async () =>
    JSON.parse((await within(30_000, "a line of the service", lines.read())).value ?? "null");
  await next(); // it says when it has its name on the bus
  return {
    next,
    async [Symbol.asyncDispose]() {
      service.kill("SIGTERM");
      await lines.cancel();
      await service.status;
    },
  };
}
