import { errorText, type Logger } from "../base/mod.ts";
import { findProgram, gvariantString, run, sessionBus } from "../platform/mod.ts";

/** What appears on the desktop for a moment. */
export interface DesktopNotice {
  readonly title: string;
  readonly text: string;
}

/** The person's desktop. Showing something never throws: what cannot be shown is in the inbox all the same. */
export interface Desktop {
  show(notice: DesktopNotice): Promise<void>;
}

/** The service that every desktop has (contract I.9). */
const SERVICE = "org.freedesktop.Notifications";
const OBJECT = "/org/freedesktop/Notifications";
/** A service that does not answer, or is not there and is waited for by the bus. */
const LIMIT_MS = 5000;
const APP = "Handler";

/** A program that calls the service: its command lines. */
interface Caller {
  readonly program: string;
  /** Asks what the service can do; undefined where the program cannot ask. */
  readonly capabilities: readonly string[] | undefined;
  notify(notice: DesktopNotice): readonly string[];
}

const GDBUS: Caller = {
  program: "gdbus",
  capabilities: gdbus("GetCapabilities"),
  notify: ({ title, text }) =>
    gdbus("Notify", gvariantString(APP), "uint32 0", "''", gvariantString(title), gvariantString(text))
      .concat(
        "@as []",
        "@a{sv} {}",
        "int32 -1",
      ),
};

const BUSCTL: Caller = {
  program: "busctl",
  capabilities: busctl("GetCapabilities"),
  notify: ({ title, text }) =>
    busctl("Notify", "susssasa{sv}i", APP, "0", "", title, text, "0", "0").concat("-1"),
};

const NOTIFY_SEND: Caller = {
  program: "notify-send",
  capabilities: undefined,
  notify: ({ title, text }) => [`--app-name=${APP}`, "--", title, text],
};

const CALLERS: readonly Caller[] = [GDBUS, BUSCTL, NOTIFY_SEND];

function gdbus(method: string, ...parameters: string[]): readonly string[] {
  return ["call", "--session", "--dest", SERVICE, "--object-path", OBJECT, "--method", `${SERVICE}.${method}`]
    .concat("--", parameters);
}

function busctl(method: string, ...parameters: string[]): readonly string[] {
  return ["--user", "call", "--", SERVICE, OBJECT, SERVICE, method, ...parameters];
}

/**
 * The desktop of the session that the daemon was started in, by whatever program is there. Without a session bus or a
 * program nothing is shown.
 */
export function sessionDesktop({ log }: { readonly log: Logger }): Desktop {
  return {
    async show(notice) {
      try {
        await show(notice);
      } catch (error) {
        log.log("debug", "a notice was not shown on the desktop", { reason: errorText(error) });
      }
    },
  };
}

async function show(notice: DesktopNotice): Promise<void> {
  const bus = await sessionBus();
  const caller = bus && await findCaller();
  if (!caller) return;
  const ask = async (args: readonly string[]) => {
    const env = { DBUS_SESSION_BUS_ADDRESS: bus };
    const argv = [caller.program, ...args];
    const { code, stdout, stderr } = await run(argv, { inheritEnv: true, env, timeoutMs: LIMIT_MS });
    if (code !== 0) throw new Error(`${caller.program} ended with ${code}: ${stderr.trim().slice(0, 200)}`);
    return stdout;
  };
  // where the service reads markup, a sender must not put a link of its own into the text
  const markup = !caller.capabilities || (await ask(caller.capabilities)).includes("body-markup");
  await ask(caller.notify(markup ? { ...notice, text: escaped(notice.text) } : notice));
}

async function findCaller(): Promise<Caller | undefined> {
  for (const caller of CALLERS) if (await findProgram(caller.program)) return caller;
  return undefined;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
