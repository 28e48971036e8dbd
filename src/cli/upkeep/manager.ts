import { HandlerError } from "../../base/mod.ts";
import {
  env,
  findProgram,
  homeFolder,
  readTextIfThere,
  run,
  type RunResult,
  statIfThere,
  system,
  userId,
} from "../../platform/mod.ts";
import type { Launch } from "./launch.ts";
import type { Piece } from "./piece.ts";
import { agentPlist, LABEL } from "./plist.ts";
import { PROXY, proxyUnit, SERVICE, serviceUnit, SOCKET, socketUnit } from "./units.ts";

/** What keeps the daemon up on this machine. */
export interface Manager {
  readonly name: "systemd" | "launchd";
  /** @throws {HandlerError} `unavailable` where it does not answer, with what was found and what to do */
  check(): Promise<void>;
  /** The files that tell it of the daemon. */
  pieces(launch: Launch): Promise<readonly Piece[]>;
  /** What makes it start the daemon, now and with each session, for a person to read. */
  readonly enable: readonly Command[];
  /** Does that; where the files have changed, a daemon that runs starts anew. */
  start(changed: boolean): Promise<void>;
  /** Ends the daemon and takes it off the list; one that it does not know is fine. */
  disable(): Promise<void>;
  /** Tells it that the files have gone. */
  forget(): Promise<void>;
  /** Starts the daemon anew, without waiting until it is ready. */
  restart(): Promise<void>;
  /** The daemon's process; undefined where it runs none. */
  pid(): Promise<number | undefined>;
  /** Whether it has given up starting the daemon. */
  gaveUp(): Promise<boolean>;
  /** The command that shows what the daemon said at its start. */
  readonly journal: string;
}

/** A command of the manager's own. */
export type Command = readonly string[];

/** How long the manager may take for one command, in milliseconds; it starts the daemon and waits for it. */
const COMMAND_MS = 90_000;

/** The manager of this system. */
export function managerOf(os: string): Manager {
  return os === "darwin" ? launchd() : systemd();
}

/** Runs a manager's command. @throws {HandlerError} `unavailable` with what it said */
export async function told(command: Command): Promise<string> {
  const { code, stdout, stderr } = await ask(command, COMMAND_MS);
  if (code === 0) return stdout.trim();
  throw new HandlerError(
    "unavailable",
    `${command.join(" ")} failed: ${lastLine(stderr) || `exit code ${code}`}`,
  );
}

async function ask(command: Command, timeoutMs: number): Promise<RunResult> {
  return await run(command, { inheritEnv: true, env: await busVariables(), timeoutMs });
}

/** A shell that came by `su` or `cron` lacks the variable, though the manager may run. */
async function busVariables(): Promise<Record<string, string>> {
  const usual = `/run/user/${userId() ?? 0}`;
  if (system.os !== "linux" || env("XDG_RUNTIME_DIR") || !await statIfThere(usual)) return {};
  return { XDG_RUNTIME_DIR: usual };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

const systemctl = (...words: readonly string[]): Command => ["systemctl", "--user", ...words];

function systemd(): Manager {
  const enable = [systemctl("daemon-reload"), systemctl("enable", "--now", SOCKET, SERVICE)];
  const pid = async () => Number(await property("MainPID")) || undefined;
  const restart = async () => {
    await told(systemctl("daemon-reload"));
    await ask(systemctl("reset-failed", SOCKET, PROXY, SERVICE), COMMAND_MS);
    await told(systemctl("restart", "--no-block", SERVICE));
    await told(systemctl("start", "--no-block", SOCKET)); // it may have given up too
  };
  return {
    name: "systemd",
    check: checkSystemd,
    pieces: systemdPieces,
    enable,
    async start(changed) {
      const running = await pid() !== undefined;
      for (const command of enable) await told(command);
      if (changed && running) await restart();
    },
    async disable() {
      await ask(systemctl("disable", "--now", SOCKET, PROXY, SERVICE), COMMAND_MS);
    },
    async forget() {
      await told(systemctl("daemon-reload"));
      await ask(systemctl("reset-failed", SOCKET, PROXY, SERVICE), COMMAND_MS);
    },
    restart,
    pid,
    gaveUp: async () => await property("ActiveState") === "failed",
    journal: `journalctl --user -u ${SERVICE} -n 20`,
  };
}

async function property(name: string): Promise<string> {
  const { stdout } = await ask(systemctl("show", "--property", name, "--value", SERVICE), 5_000);
  return stdout.trim();
}

async function checkSystemd(): Promise<void> {
  if (!await findProgram("systemctl")) {
    throw new HandlerError("unavailable", "this machine has no systemd: there is no program systemctl", {
      hint: "start handlerd by your own means, or see what it would be with --files-only",
    });
  }
  const { code, stderr } = await ask(systemctl("show", "--property", "Version"), 5_000);
  if (code === 0) return;
  const first = (await readTextIfThere("/proc/1/comm"))?.trim();
  throw new HandlerError("unavailable", `no systemd answers for this user: ${lastLine(stderr)}`, {
    hint: first === "systemd"
      ? "log in as this user itself (ssh, or machinectl shell), not by su or sudo; then try again"
      : `the first process here is ${first ?? "unknown"}, as in a container: start handlerd by its means, ` +
        "or write the files alone with --files-only",
  });
}

const PROXIES = [
  "/usr/lib/systemd/systemd-socket-proxyd",
  "/lib/systemd/systemd-socket-proxyd",
  "/run/current-system/systemd/lib/systemd/systemd-socket-proxyd",
];

async function systemdPieces(launch: Launch): Promise<readonly Piece[]> {
  const config = env("XDG_CONFIG_HOME");
  const folder = `${config?.startsWith("/") ? config : `${homeFolder()}/.config`}/systemd/user`;
  const found = await Promise.all(PROXIES.map((path) => findProgram(path)));
  const proxy = found.find((path) => path !== undefined);
  const unit = (name: string, text: string): Piece => ({
    does: "write",
    path: `${folder}/${name}`,
    text,
    mode: 0o644,
  });
  if (proxy === undefined) {
    throw new HandlerError(
      "unavailable",
      "systemd-socket-proxyd, which is a part of systemd, is not on this machine",
      {
        hint: "install the whole of systemd",
      },
    );
  }
  return [
    unit(SERVICE, serviceUnit(launch)),
    unit(SOCKET, socketUnit(launch)),
    unit(PROXY, proxyUnit(launch, proxy)),
  ];
}

function launchd(): Manager {
  const domain = `gui/${userId() ?? 0}`;
  const file = `${homeFolder()}/Library/LaunchAgents/${LABEL}.plist`;
  const bootstrap = ["launchctl", "bootstrap", domain, file];
  const disable = async () => void await ask(["launchctl", "bootout", `${domain}/${LABEL}`], COMMAND_MS);
  const pid = async () => {
    const { code, stdout } = await ask(["launchctl", "list", LABEL], 5_000);
    return code === 0 ? Number(/"PID" = (\d+);/.exec(stdout)?.[1] ?? 0) || undefined : undefined;
  };
  return {
    name: "launchd",
    async check() {
      if ((await ask(["launchctl", "print", domain], 5_000)).code === 0) return;
      throw new HandlerError("unavailable", `launchd has no session ${domain}`, {
        hint: "log in at the desktop, or write the file alone with --files-only",
      });
    },
    pieces: (launch) =>
      Promise.resolve([{ does: "write", path: file, text: agentPlist(launch), mode: 0o644 }]),
    enable: [bootstrap],
    async start(changed) {
      if (!changed && await pid() !== undefined) return;
      await disable(); // it takes the same agent only once
      await told(bootstrap);
    },
    disable,
    forget: () => Promise.resolve(),
    restart: async () => void await told(["launchctl", "kickstart", "-k", `${domain}/${LABEL}`]),
    pid,
    gaveUp: () => Promise.resolve(false), // launchd tries for ever
    journal: `launchctl print ${domain}/${LABEL}`,
  };
}
