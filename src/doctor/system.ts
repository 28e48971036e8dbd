import { DENO_VERSION } from "../base/mod.ts";
import {
  findProgram,
  isCompiled,
  openFileLimit,
  ownProgram,
  run,
  statIfThere,
  system,
  userId,
} from "../platform/mod.ts";
import { type Check, failed, type Finding, ok, warning } from "./check.ts";

/** The Deno for sandboxes, the clock, open files, and who keeps the daemon up. */
export function systemChecks(deno: string | undefined): readonly Check[] {
  return [
    { name: "deno", run: () => denoFor(deno) },
    { name: "clock", run: clock },
    { name: "open files", run: openFiles },
    { name: "service", run: service },
  ];
}

const GET_DENO = `npm install -g deno@${DENO_VERSION}, or set HANDLER_DENO`;

async function denoFor(path: string | undefined): Promise<Finding> {
  if (path === undefined) {
    return warning(
      "there is none, so bubblewrap runs no connectors and no apps, and the image cannot be made",
      GET_DENO,
    );
  }
  const { code, stdout } = await run([path, "--version"], { env: { NO_COLOR: "1" }, timeoutMs: 5_000 });
  const version = /^deno (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (code !== 0 || version === undefined) return failed(`${path} does not answer as a Deno does`, GET_DENO);
  if (version === DENO_VERSION) return ok(`${path}, ${version}`);
  return warning(`${path} is ${version}; what Handler ships was tried with ${DENO_VERSION}`, GET_DENO);
}

/** A clock that is behind breaks every certificate; it cannot be before the day on which this program was made. */
async function clock(): Promise<Finding> {
  const made = isCompiled ? (await statIfThere(ownProgram()))?.mtime?.getTime() : undefined;
  const now = Date.now();
  const text = new Date(now).toISOString().slice(0, 16).replace("T", " ") + " UTC";
  if (now < Math.max(Date.UTC(2025, 0), (made ?? 0) - 86_400_000)) {
    return failed(`it is ${text} here, which is behind`, "sudo timedatectl set-ntp true");
  }
  if (!await findProgram("timedatectl")) return ok(text);
  const { code, stdout } = await run(["timedatectl", "show", "--property=NTPSynchronized", "--value"], {
    inheritEnv: true,
    timeoutMs: 3_000,
  });
  if (code !== 0 || stdout.trim() !== "no") return ok(text);
  return warning(`${text}; nothing keeps it right`, "sudo timedatectl set-ntp true");
}

/** Each session has several sockets, each browser window some connections. */
const ENOUGH_FILES = 4096;

async function openFiles(): Promise<Finding> {
  const limit = await openFileLimit();
  if (limit === undefined) return ok("no limit is known");
  if (limit >= ENOUGH_FILES) return ok(`${limit} at once`);
  return warning(
    `${limit} at once, which many sessions and apps may need more than`,
    system.os === "darwin"
      ? "sudo launchctl limit maxfiles 65536 200000"
      : `ulimit -n ${ENOUGH_FILES} before handlerd starts; a service has more: handler install`,
  );
}

const INSTALL = "handler install";

async function service(): Promise<Finding> {
  return system.os === "darwin" ? await launchd() : await systemd();
}

async function launchd(): Promise<Finding> {
  const asked = run(["launchctl", "print", `gui/${userId() ?? 0}/ai.handler.handlerd`], {
    inheritEnv: true,
    timeoutMs: 4_000,
  });
  return (await asked).code === 0
    ? ok("launchd keeps handlerd up")
    : warning("nothing keeps handlerd up", INSTALL);
}

async function systemd(): Promise<Finding> {
  if (!await findProgram("systemctl")) {
    return warning(
      "there is no systemd here, so nothing keeps handlerd up",
      "start it by the means of this machine",
    );
  }
  const asked = ["ActiveState", "UnitFileState"].map((name) => `--property=${name}`);
  const { code, stdout } = await run(["systemctl", "--user", "show", ...asked, "handlerd.service"], {
    inheritEnv: true,
    timeoutMs: 4_000,
  });
  if (code !== 0) {
    return warning(
      "no systemd answers for this user (a container, or a shell by su), so nothing keeps handlerd up",
      "log in as this user itself, or start handlerd by the means of this machine",
    );
  }
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(stdout)?.[1] ?? "";
  if (value("UnitFileState") !== "enabled") return warning("nothing keeps handlerd up", INSTALL);
  if (value("ActiveState") === "failed") {
    return failed("systemd has given up starting handlerd", "journalctl --user -u handlerd.service -n 20");
  }
  const lingers = await linger();
  const text = `systemd keeps handlerd up (it is ${value("ActiveState")})`;
  return lingers === false
    ? ok(`${text}, while you are logged in`, "loginctl enable-linger keeps it up without you")
    : ok(text);
}

async function linger(): Promise<boolean | undefined> {
  if (!await findProgram("loginctl")) return undefined;
  const asked = run(["loginctl", "show-user", "--property=Linger", "--value"], {
    inheritEnv: true,
    timeoutMs: 3_000,
  });
  const { code, stdout } = await asked;
  return code === 0 ? stdout.trim() === "yes" : undefined;
}
