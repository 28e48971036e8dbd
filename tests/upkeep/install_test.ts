import assert from "node:assert/strict";
import { delay } from "../../src/base/mod.ts";
import { endGroup, start } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { fromSource, type Session, sessionWorks, startSession } from "./session.ts";

const options = { ignore: !await sessionWorks() && Deno.env.get("CI") !== "true", sanitizeOps: false };

async function handler(session: Session, ...words: readonly string[]) {
  return await session.run([...fromSource(), ...words]);
}

/** Everything in a home that is not Handler's own data. */
async function filesOf(session: Session): Promise<readonly string[]> {
  const { stdout } = await session.run(["find", session.home, "(", "-type", "f", "-o", "-type", "l", ")"]);
  return stdout.trim().split("\n").filter((path) =>
    path !== "" && !/\/handler-ai\/(?!bin\/|installed)/.test(path)
  ).sort();
}

async function pidOf(session: Session): Promise<number> {
  const { code, stdout, stderr } = await handler(session, "status", "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout).pid;
}

Deno.test("install makes a service, and uninstall takes exactly that away", options, async () => {
  await using session = await startSession();
  await Deno.mkdir(`${session.home}/.local/bin`, { recursive: true });
  await Deno.writeTextFile(`${session.home}/.local/bin/handler-llm`, "#!/bin/sh\necho mine\n");
  const before = await filesOf(session);

  const planned = await handler(session, "install", "--dry-run");
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(
    planned.stdout,
    /write \S+\/\.config\/systemd\/user\/handlerd\.service\n(.*\n)*.*\| Type=notify/,
  );
  assert.match(
    planned.stdout,
    /note {2}\S+\/\.local\/bin\/handler-llm is somebody else's and stays as it is/,
  );
  assert.deepEqual(await filesOf(session), before, "--dry-run writes nothing");

  const asked = await handler(session, "install");
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /nobody can be asked whether this may be installed/);
  assert.deepEqual(await filesOf(session), before);

  const first = await handler(session, "install", "--yes");
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^handlerd \S+ runs as a service, process \d+\n$/);
  assert.match(first.stderr, /next: handler open/);
  const pid = await session.mainPid();
  assert.equal(await pidOf(session), pid);
  assert.equal(await session.systemctl("is-enabled", "handlerd.service"), "enabled");
  assert.equal((await session.run(["handler", "version"])).code, 0, "the command is on PATH");

  const again = await handler(session, "install", "--json"); // nothing changes, so nothing is asked
  assert.equal(again.code, 0, again.stderr);
  const report = JSON.parse(again.stdout);
  assert.deepEqual([report.schema, report.done, report.pid], [1, true, pid]);
  assert.deepEqual(new Set(report.files.map((file: { state: string }) => file.state)), new Set(["same"]));

  session.env.HANDLER_PORT = "00"; // any port, as before, but other words
  const changed = await handler(session, "install", "--yes");
  assert.equal(changed.code, 0, changed.stderr);
  assert.notEqual(await session.mainPid(), pid, "a changed unit counts at once");
  assert.match(
    await session.systemctl("show", "--property=Environment", "handlerd.service"),
    /HANDLER_PORT=00/,
  );

  await Deno.writeTextFile(`${session.home}/.config/systemd/user/handlerd.socket`, "# edited\n", {
    append: true,
  });
  const gone = await handler(session, "uninstall", "--yes");
  assert.equal(gone.code, 0, gone.stderr);
  assert.match(gone.stderr, /handlerd\.socket is not as it was made, so it stays/);
  assert.match(gone.stdout, /^left {4}\S+\/\.local\/share\/handler-ai$/m);
  assert.equal(await session.mainPid(), 0);
  assert.equal((await handler(session, "status")).code, 3);
  const left = await filesOf(session);
  assert.deepEqual(left, [...before, `${session.home}/.config/systemd/user/handlerd.socket`].sort());
  assert.equal(await Deno.readTextFile(`${session.home}/.local/bin/handler-llm`), "#!/bin/sh\necho mine\n");
  assert.ok((await Deno.stat(`${session.home}/.local/share/handler-ai/threads.db`)).isFile, "data stays");
  const twice = await handler(session, "uninstall", "--yes");
  assert.equal(twice.code, 5);
});

Deno.test("a command that comes before the daemon is ready waits for it", options, async () => {
  await using session = await startSession();
  assert.equal((await handler(session, "install", "--yes")).code, 0);
  const first = await pidOf(session);

  // killed: the next one is started, and whoever asks meanwhile is answered by it
  await session.systemctl("kill", "--kill-who=main", "-s", "KILL", "handlerd.service");
  const answers = await Promise.all([pidOf(session), pidOf(session), pidOf(session)]);
  assert.equal(new Set(answers).size, 1);
  assert.notEqual(answers[0], first);

  // ended by hand: it stays away until somebody asks
  assert.equal((await handler(session, "shutdown")).code, 0);
  await delay(1_500);
  assert.equal(await session.mainPid(), 0);
  const third = await pidOf(session);
  assert.notEqual(third, answers[0]);

  // a long request and its stream go through the proxy
  const { stdout } = await session.run(["/bin/sh", "-c", "timeout 2 handler calls --follow --json; echo $?"]);
  assert.equal(stdout, "124\n");

  await session.systemctl("restart", "--no-block", "handlerd.service");
  for (let times = 0; times < 5; times++) await pidOf(session);
  assert.equal(await session.systemctl("is-active", "handlerd-proxy.service"), "active");
});

Deno.test("a daemon that was started by hand gives way to the service", options, async () => {
  await using session = await startSession();
  const [program, ...args] = fromSource("handlerd");
  const byHand = start([program!, ...args], { env: session.env, stdout: "null", stderr: "null" });
  try {
    for (let tries = 0; tries < 100 && (await handler(session, "status")).code !== 0; tries++) {
      await delay(100);
    }
    const planned = await handler(session, "install");
    assert.match(
      planned.stderr,
      new RegExp(`end {3}handlerd, process ${byHand.pid}, which was started by hand`),
    );
    assert.equal((await handler(session, "install", "--yes")).code, 0);
    assert.equal((await byHand.status).code, 0);
    assert.notEqual(await pidOf(session), byHand.pid);
  } finally {
    endGroup(byHand.pid, "SIGKILL");
    await byHand.status;
  }
});

Deno.test("a unit of somebody else's is an error, and nothing is written", options, async () => {
  await using session = await startSession();
  await Deno.mkdir(`${session.home}/.config/systemd/user`, { recursive: true });
  const unit = `${session.home}/.config/systemd/user/handlerd.service`;
  await Deno.writeTextFile(unit, "[Service]\nExecStart=/bin/true\n");
  const before = await filesOf(session);
  const { code, stderr } = await handler(session, "install", "--yes");
  assert.equal(code, 6);
  assert.match(stderr, /handlerd\.service is there and was not made by Handler/);
  assert.deepEqual(await filesOf(session), before);
});

Deno.test("without a manager the error says what was found, and --files-only writes the files", async () => {
  const home = await Deno.makeTempDir();
  const env = {
    HOME: home,
    XDG_RUNTIME_DIR: `${home}/run`,
    PATH: Deno.env.get("PATH") ?? "",
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    NO_COLOR: "1",
  };
  await Deno.mkdir(`${home}/run`, { mode: 0o700 });
  const [program, ...args] = fromSource();
  const ask = async (...words: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(program!, {
      args: [...args, ...words],
      env,
      clearEnv: true,
    }).output();
    return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
  };
  const refused = await ask("install", "--yes");
  assert.equal(refused.code, 75);
  assert.match(
    refused.stderr,
    /no systemd answers for this user|there is no program systemctl|launchd has no session/,
  );
  assert.match(refused.stderr, /--files-only/);
  assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name), ["run"]);
  const written = await ask("install", "--files-only", "--yes");
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stderr, /\.local\/bin is not on your PATH/);
  const unit = await Deno.readTextFile(`${home}/.config/systemd/user/handlerd.service`);
  assert.ok(unit.includes(`${ROOT}/main.ts handlerd --socket ${home}/run/handler-ai/direct.sock`));
  assert.equal((await ask("uninstall", "--yes")).code, 0);
  await Deno.remove(home, { recursive: true });
});

Deno.test("sockets that a manager hands over open are refused", async () => {
  const folder = await Deno.makeTempDir();
  const [program, ...args] = fromSource("handlerd");
  const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3</dev/null';
  const { code, stderr } = await new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", program!, ...args],
    env: {
      HOME: folder,
      HANDLER_RUNTIME_DIR: `${folder}/run`,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    },
  }).output();
  assert.equal(code, 1);
  assert.match(
    new TextDecoder().decode(stderr),
    /takes no sockets from its service manager, found LISTEN_FDS=1/,
  );
  assert.deepEqual([...Deno.readDirSync(folder)], []);
  await Deno.remove(folder);
});
