import { HANDLER_VERSION, HandlerError } from "../../base/mod.ts";
import { programTarget, removeQuietly, run, system, writeHashed } from "../../platform/mod.ts";
import type { Source } from "./source.ts";
import { isOlder } from "./version.ts";

/** How long a program may take to say its version, in milliseconds. */
const VERSION_MS = 10_000;

/**
 * Puts the source's program at `path`, checked: its SHA-256, the machine it is for, that it says its version, and that
 * this is no older one than now where that is not wanted. What fails leaves nothing.
 *
 * @returns its version
 * @throws {HandlerError} `invalid` for a program that is not the one, `conflict` for an older one
 */
export async function takeCandidate(
  source: Source,
  path: string,
  { installed, downgrade }: { readonly installed: string; readonly downgrade: boolean },
): Promise<string> {
  await removeQuietly(path);
  try {
    const found = await writeHashed(await source.open(), path, 0o755);
    if (found !== source.sha256) {
      throw new HandlerError(
        "invalid",
        `${source.place} must have the SHA-256 ${source.sha256}, found ${found}`,
        {
          hint: "fetch it again; if that does not help, do not trust it",
        },
      );
    }
    await checkTarget(path, source.place);
    const version = await versionOf(path, source.place);
    if (isOlder(version, installed) && !downgrade) {
      throw new HandlerError(
        "conflict",
        `Handler ${version} is older than ${installed}, which is installed`,
        {
          hint: "--downgrade takes it all the same; it may not read what the newer one has written",
        },
      );
    }
    return version;
  } catch (error) {
    await removeQuietly(path);
    throw error;
  }
}

async function checkTarget(path: string, place: string): Promise<void> {
  const target = await programTarget(path);
  if (!target || target.os === system.os && target.arch === system.arch) return;
  throw new HandlerError(
    "invalid",
    `${place} is for ${target.os} on ${target.arch}, this machine is ${system.os} on ${system.arch}`,
  );
}

/** Runs it once: what cannot say its version is not taken. */
async function versionOf(path: string, place: string): Promise<string> {
  const { code, stdout, stderr } = await run([path, "--version"], { inheritEnv: true, timeoutMs: VERSION_MS })
    .catch((error) => ({ code: -1, stdout: "", stderr: error.message as string }));
  const version = /^handlerd (\d+\.\d+\.\d+\S*)$/m.exec(stdout)?.[1];
  if (code === 0 && version !== undefined) return version;
  const said = (stderr || stdout).trim().split("\n").at(-1);
  throw new HandlerError(
    "invalid",
    `${place} does not run here as handlerd ${HANDLER_VERSION} does: ` +
      (said || `exit code ${code}, and no version`),
  );
}
