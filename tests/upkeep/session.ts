/**
 * A user session of its own with a real `systemd --user`, beside whatever the machine runs: in a mount namespace where the
 * machine looks booted with systemd, and in control groups of its own, out of which it cannot reach.
 * @module
 */
import { delay, within } from "../../src/base/mod.ts";
import { endGroup, findProgram, run, type RunResult, start } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";

/** A session and its home. */
export interface Session extends AsyncDisposable {
  /** Holds `home`, `run` and whatever a test puts there. */
  readonly path: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** Runs a program in the session. */
  run(argv: readonly string[], stdin?: string): Promise<RunResult>;
  systemctl(...words: readonly string[]): Promise<string>;
  /** The process of a unit; 0 where it runs none. */
  mainPid(unit?: string): Promise<number>;
}

const KEPT = ["CONTAINERS_CONF", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "LANG", "TMPDIR"];

/** It stops at the first thing that fails: a manager outside of groups of its own would take everybody's processes. */
const MANAGER = `set -eu
entered=0
for root in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup/memory /sys/fs/cgroup/pids /sys/fs/cgroup/cpu; do
  [ -f "$root/cgroup.procs" ] || continue
  mkdir "$root/$1"
  echo $$ > "$root/$1/cgroup.procs"
  entered=1
done
[ "$entered" = 1 ]
grep -Eq "^(0:|[0-9]+:name=systemd):/$1$" /proc/self/cgroup
mkdir -p /run/systemd
mount -t tmpfs tmpfs /run/systemd
mkdir /run/systemd/system
exec "$2" --user --log-target=console`;

const CLEAN = `for root in /sys/fs/cgroup /sys/fs/cgroup/*; do
  [ -d "$root/$1" ] || continue
  for procs in $(find "$root/$1" -name cgroup.procs); do kill -9 $(cat "$procs") 2>/dev/null; done
  find "$root/$1" -depth -type d -exec rmdir {} \\;
done
exit 0`;

let found: Promise<boolean> | undefined;

/** Whether a session can be made here: as root, on Linux with systemd. */
export function sessionWorks(): Promise<boolean> {
  return found ??= (async () => {
    if (Deno.build.os !== "linux" || Deno.uid() !== 0 || !await managerProgram()) return false;
    try {
      await using _session = await startSession();
      return true;
    } catch {
      return false;
    }
  })();
}

async function managerProgram(): Promise<string | undefined> {
  return await findProgram("/usr/lib/systemd/systemd") ?? await findProgram("/lib/systemd/systemd");
}

/** Starts a session in a fresh folder. */
export async function startSession(): Promise<Session> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "hu-" }));
  const group = `handler-session-${crypto.randomUUID().slice(0, 8)}`;
  for (const name of ["home", "run"]) await Deno.mkdir(`${path}/${name}`, { mode: 0o700 });
  const env = environment(path);
  const manager = start([
    "unshare",
    "-m",
    "/bin/sh",
    "-c",
    MANAGER,
    "session",
    group,
    await managerProgram() ?? "",
  ], {
    env,
    stdout: "null",
    stderr: "null",
  });
  const session = sessionOf(path, env, async () => {
    await session.systemctl("stop", "handlerd.socket", "handlerd.service").catch(() => {});
    endGroup(manager.pid, "SIGTERM");
    await within(5_000, "the end of the manager", manager.status).catch(() => {});
    endGroup(manager.pid, "SIGKILL");
    await manager.status;
    await run(["/bin/sh", "-c", CLEAN, "clean", group], { env });
    await Deno.remove(path, { recursive: true }).catch(() => {});
  });
  try {
    await untilItAnswers(session);
    return session;
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

function environment(path: string): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const denoDir = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return {
    ...Object.fromEntries(kept),
    HOME: `${path}/home`,
    XDG_RUNTIME_DIR: `${path}/run`,
    PATH: `${path}/home/.local/bin:${Deno.env.get("PATH") ?? "/usr/bin:/bin"}`,
    DENO_DIR: denoDir,
    HANDLER_DENO: Deno.execPath(),
    HANDLER_PORT: "0",
    NO_COLOR: "1",
  };
}

function sessionOf(path: string, env: Record<string, string>, end: () => Promise<void>): Session {
  const session: Session = {
    path,
    home: `${path}/home`,
    env,
    run: (argv, stdin) =>
      run(argv, {
        env,
        cwd: path,
        timeoutMs: 120_000,
        ...(stdin !== undefined && { stdin: new TextEncoder().encode(stdin) }),
      }),
    async systemctl(...words) {
      const { code, stdout, stderr } = await session.run(["systemctl", "--user", ...words]);
      if (code !== 0) throw new Error(`systemctl ${words.join(" ")}: ${stderr}`);
      return stdout.trim();
    },
    mainPid: async (unit = "handlerd.service") =>
      Number(await session.systemctl("show", "--property=MainPID", "--value", unit)),
    [Symbol.asyncDispose]: end,
  };
  return session;
}

async function untilItAnswers(session: Session): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await session.run(["systemctl", "--user", "show", "--property=Version"])).code === 0) return;
    await delay(100);
  }
  throw new Error("no systemd answers in the session");
}

/** The words that run the source's `handler`. */
export function fromSource(part = "handler"): readonly string[] {
  return [Deno.execPath(), "run", "--quiet", "-A", "--no-check", `${ROOT}/main.ts`, part];
}
