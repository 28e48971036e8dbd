import assert from "node:assert/strict";
import { delay } from "../../src/base/mod.ts";
import { managerOf } from "../../src/cli/upkeep/manager.ts";
import { type Made, make } from "../../src/cli/upkeep/piece.ts";
import { proxyUnit, serviceUnit, socketUnit } from "../../src/cli/upkeep/units.ts";
import { fileSha256, findProgram } from "../../src/platform/mod.ts";
import { fromSource, type Session, sessionWorks, startSession } from "./session.ts";

const options = { ignore: !await sessionWorks() && Deno.env.get("CI") !== "true", sanitizeOps: false };

/** The source, under a file of its own that can be replaced; `build` makes two of them differ. */
function wrapper(build: string): string {
  const words = fromSource("@").slice(0, -1).map((word) => `'${word}'`).join(" ");
  return `#!/bin/sh\n# ${build}\n[ "$1" = --version ] && { echo handlerd 0.1.0; exit 0; }\nexec ${words} "$@"\n`;
}

/** A program that says its version and then does what is told instead of serving. */
function broken(version: string, instead: string): string {
  return `#!/bin/sh\n[ "$1" = --version ] && { echo handlerd ${version}; exit 0; }\n${instead}\n`;
}

/** A session with a service whose program is a file that may be replaced, as a compiled one is. */
async function installed(): Promise<Session & { readonly program: string }> {
  const session = await startSession();
  const data = `${session.home}/.local/share/handler-ai`;
  const program = `${data}/bin/handlerd`;
  const runtime = `${session.path}/run/handler-ai`;
  const launch = {
    argv: [program, "handlerd"],
    env: { HANDLER_PORT: "0", HANDLER_DENO: Deno.execPath(), DENO_DIR: session.env.DENO_DIR! },
    socket: `${runtime}/handlerd.sock`,
    behind: `${runtime}/direct.sock`,
    log: "",
  };
  const proxy = await findProgram("/usr/lib/systemd/systemd-socket-proxyd") ??
    await findProgram("/lib/systemd/systemd-socket-proxyd") ?? "";
  const units = `${session.home}/.config/systemd/user`;
  const texts = {
    [program]: wrapper("the first"),
    [`${units}/handlerd.service`]: serviceUnit(launch),
    [`${units}/handlerd.socket`]: socketUnit(launch),
    [`${units}/handlerd-proxy.service`]: proxyUnit(launch, proxy),
  };
  const made: Made[] = [];
  for (const [path, text] of Object.entries(texts)) {
    made.push(await make({ does: "write", path, text, mode: path === program ? 0o755 : 0o644 }));
  }
  const record = { schema: 1, version: "0.1.0", program, copied: true, manager: "systemd", made };
  await Deno.writeTextFile(`${data}/installed.json`, JSON.stringify(record));
  for (const command of managerOf("linux").enable) await session.systemctl(...command.slice(2));
  return Object.assign(session, { program });
}

async function handler(session: Session, ...words: readonly string[]) {
  return await session.run([...fromSource(), ...words]);
}

async function pidOf(session: Session): Promise<number> {
  return JSON.parse((await handler(session, "status", "--json")).stdout).pid;
}

/** Writes a program and gives the words that name it with its checksum. */
async function offered(session: Session, text: string): Promise<readonly string[]> {
  const path = `${session.path}/offered`;
  await Deno.writeTextFile(path, text);
  return ["--from", path, "--sha256", await fileSha256(path)];
}

async function binOf(session: Session): Promise<readonly string[]> {
  const folder = `${session.home}/.local/share/handler-ai/bin`;
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test("an update replaces the program, and a session of an agent goes on", options, async () => {
  await using session = await installed();
  await Deno.mkdir(`${session.path}/books`);
  await handler(session, "project", "add", "books", `${session.path}/books`);
  const ticks = "i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo $i > tick; sleep 0.1; done";
  await handler(session, "agent", "add", "clerk", "--project", "books", "--", "/bin/sh", "-c", ticks);
  const run = await handler(session, "run", "clerk", "--detach", "--json");
  assert.equal(run.code, 0, run.stderr);
  const before = await pidOf(session);

  const words = await offered(session, wrapper("the second"));
  const updated = await handler(session, "update", ...words, "--json");
  assert.equal(updated.code, 0, updated.stderr);
  const report = JSON.parse(updated.stdout);
  assert.deepEqual([report.state, report.version, report.was], ["updated", "0.1.0", "0.1.0"]);
  assert.notEqual(report.pid, before);
  assert.equal(await pidOf(session), report.pid);
  assert.match(await Deno.readTextFile(session.program), /the second/);
  assert.match(await Deno.readTextFile(`${session.program}.old`), /the first/);

  const { sessions } = JSON.parse((await handler(session, "sessions", "--json")).stdout);
  assert.deepEqual(sessions.map(({ state }: { state: string }) => state), ["running"]);
  const tick = await Deno.readTextFile(`${session.path}/books/tick`);
  await delay(1_000);
  assert.notEqual(await Deno.readTextFile(`${session.path}/books/tick`), tick, "the agent works on");
  assert.equal((await handler(session, "stop", sessions[0].id)).code, 0);

  const same = await handler(session, "update", ...words);
  assert.match(same.stdout, /is this program already/);
  assert.equal(await pidOf(session), report.pid, "nothing was started anew");

  const back = await handler(session, "update", "--back");
  assert.equal(back.code, 0, back.stderr);
  assert.match(await Deno.readTextFile(session.program), /the first/);
  assert.notEqual(await pidOf(session), report.pid);

  const gone = await handler(session, "uninstall", "--yes");
  assert.equal(gone.code, 0, gone.stderr);
  assert.equal(gone.stderr.includes("not as it was made"), false, gone.stderr);
  await assert.rejects(Deno.stat(`${session.home}/.local/share/handler-ai/bin`), Deno.errors.NotFound);
});

Deno.test("a program that is not the one is not taken", options, async () => {
  await using session = await installed();
  const before = await pidOf(session);
  const refused = async (words: readonly string[], code: number, why: RegExp) => {
    const found = await handler(session, "update", ...words);
    assert.deepEqual([found.code, why.test(found.stderr)], [code, true], found.stderr);
    assert.deepEqual(await binOf(session), ["handlerd"]);
    assert.equal(await pidOf(session), before);
  };
  const [, from] = await offered(session, wrapper("the second"));
  await refused([], 2, /nothing says where the new program is/);
  await refused(["--from", from!], 2, /nothing says what .*offered must be/);
  await refused(["--from", from!, "--sha256", "00".repeat(32)], 1, /must have the SHA-256 0000.*, found /);
  await refused(["--from", `${from}-not-there`, "--sha256", "00".repeat(32)], 5, /cannot be read/);
  await refused(await offered(session, broken("0.0.9", "exit 1")), 6, /0\.0\.9 is older than 0\.1\.0/);
  await refused(await offered(session, "no program"), 1, /does not run here/);
  const elf = new Uint8Array([
    0x7f,
    0x45,
    0x4c,
    0x46,
    2,
    1,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    2,
    0,
    0x16,
    0,
    0,
    0,
  ]);
  await Deno.writeFile(`${session.path}/other`, elf);
  const sum = await fileSha256(`${session.path}/other`);
  await Deno.writeTextFile(`${session.path}/SHA256SUMS`, `${sum}  other\n`);
  const lists = ["--from", `${session.path}/other`, "--sums", `${session.path}/SHA256SUMS`];
  await refused(lists, 1, /is for linux on another processor/);
});

Deno.test("a full disk leaves everything as it was", options, async () => {
  await using session = await installed();
  const before = await pidOf(session);
  const words = await offered(session, wrapper("x".repeat(2 << 20)));
  const bin = `${session.home}/.local/share/handler-ai/bin`;
  const script =
    `mount -t tmpfs -o size=1m tmpfs "$1" && printf '%s' "$2" >"$1/handlerd" && chmod 755 "$1/handlerd" && ` +
    `shift 2 && "$@"; code=$?; ls "$0"; exit $code`;
  const { code, stdout, stderr } = await session.run([
    ...["unshare", "-m", "/bin/sh", "-c", script, bin, bin, await Deno.readTextFile(session.program)],
    ...[...fromSource(), "update", ...words],
  ]);
  assert.deepEqual([code, /the disk is full/.test(stderr)], [75, true], stderr);
  assert.equal(stdout, "handlerd\n", "nothing unfinished is left");
  assert.equal(await pidOf(session), before);
});

Deno.test("a program that dies or hangs gives way to the one before it", options, async () => {
  await using session = await installed();
  const goesBack = async (instead: string) => {
    const words = await offered(session, broken("0.2.0", instead));
    const { code, stderr } = await handler(session, "update", ...words);
    assert.equal(code, 1, stderr);
    const said = /Handler 0\.2\.0 did not get ready; 0\.1\.0 is back, which runs, process (\d+)/.exec(stderr);
    assert.equal(Number(said?.[1]), await pidOf(session), stderr);
    assert.match(await Deno.readTextFile(session.program), /the first/);
    assert.deepEqual(await binOf(session), ["handlerd"]);
  };
  await goesBack("echo broken >&2; exit 1");
  await goesBack("trap '' TERM; while :; do sleep 1; done");
});

Deno.test("two updates at once: the second is told so", options, async () => {
  await using session = await installed();
  const words = await offered(session, broken("0.2.0", "exit 1"));
  const first = handler(session, "update", ...words);
  while (!(await binOf(session)).includes("handlerd.old")) await delay(20);
  const second = await handler(session, "update", ...words);
  assert.deepEqual(
    [second.code, /another update is under way/.test(second.stderr)],
    [6, true],
    second.stderr,
  );
  assert.equal((await first).code, 1);
});

Deno.test("what was not copied is not replaced", options, async () => {
  await using session = await startSession();
  const none = await handler(session, "update", "--from", "/bin/true", "--sha256", "00".repeat(32));
  assert.deepEqual([none.code, /nothing is installed here/.test(none.stderr)], [6, true], none.stderr);
  assert.equal((await handler(session, "install", "--yes")).code, 0);
  const checkout = await handler(session, "update", "--from", "/bin/true", "--sha256", "00".repeat(32));
  assert.match(checkout.stderr, /a checkout is installed, which is brought up to date by git/);
});
