import { DENO_VERSION, errorText } from "../../base/mod.ts";
import type { DoctorCheck } from "../../client/mod.ts";
import {
  checkSocketPath,
  findDeno,
  findProgram,
  type Folders,
  statIfThere,
  system,
  userId,
} from "../../platform/mod.ts";

/** What can be said of this machine without the daemon. */
export async function localChecks(folders: Folders): Promise<readonly DoctorCheck[]> {
  const places = Object.entries(folders) as [keyof Folders, string][];
  return [
    ...await Promise.all(places.map(([name, path]) => folderCheck(name, path))),
    socketCheck(`${folders.runtime}/handlerd.sock`),
    await denoCheck(),
    ...await sandboxChecks(),
  ];
}

async function folderCheck(name: string, path: string): Promise<DoctorCheck> {
  const title = `folder ${name}`;
  try {
    const info = await statIfThere(path);
    if (!info) return ok(title, `${path} is made at the first start`);
    if (!info.isDirectory) return failed(title, `${path} is no folder`, "move what is there away");
    if (info.uid !== null && userId() !== undefined && info.uid !== userId()) {
      return failed(
        title,
        `${path} belongs to another user (id ${info.uid})`,
        "give it to yourself, or name another folder",
      );
    }
    const open = ((info.mode ?? 0) & 0o077) !== 0;
    return open && name !== "config"
      ? warning(
        title,
        `${path} can be read by others (mode ${((info.mode ?? 0) & 0o777).toString(8)})`,
        `chmod 700 ${path}`,
      )
      : ok(title, path);
  } catch (error) {
    return failed(title, `${path}: ${errorText(error)}`, null);
  }
}

function socketCheck(path: string): DoctorCheck {
  try {
    checkSocketPath(path);
    return ok("socket", path);
  } catch (error) {
    return failed("socket", errorText(error), "set HANDLER_RUNTIME_DIR to a shorter folder");
  }
}

async function denoCheck(): Promise<DoctorCheck> {
  const deno = await findDeno();
  if (deno) return ok("deno", deno);
  return warning(
    "deno",
    "no Deno is on this machine, so bubblewrap and deno sandboxes do not work",
    `install Deno ${DENO_VERSION} or set HANDLER_DENO`,
  );
}

async function sandboxChecks(): Promise<readonly DoctorCheck[]> {
  const podman = await findProgram("podman");
  const bubblewrap = await findProgram("bwrap");
  if (system.os !== "linux") {
    return [
      podman
        ? ok("podman", podman)
        : warning("podman", "not installed", "install podman for strict sandboxes"),
    ];
  }
  const missing = (name: string, other: string | undefined) =>
    other
      ? ok(name, "not installed, and not needed")
      : warning(name, "not installed", `install ${name} for strict sandboxes`);
  return [
    podman ? ok("podman", podman) : missing("podman", bubblewrap),
    bubblewrap ? ok("bubblewrap", bubblewrap) : missing("bubblewrap", podman),
  ];
}

function ok(name: string, detail: string): DoctorCheck {
  return { name, state: "ok", detail, hint: null };
}

function warning(name: string, detail: string, hint: string): DoctorCheck {
  return { name, state: "warning", detail, hint };
}

function failed(name: string, detail: string, hint: string | null): DoctorCheck {
  return { name, state: "failed", detail, hint };
}
