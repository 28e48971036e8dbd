import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../src/base/mod.ts";
import { type DriverName, imageStatus, INSIDE, type SandboxSpec } from "../../src/sandbox/mod.ts";
import { denoProgram, guestFolder, type Home, makeSpec, onDriver } from "./support.ts";

const STRICT = ["bubblewrap", "podman"] as const;
const ALL = [...STRICT, "deno"] as const;

async function start(home: Home, driver: DriverName, source: string, given: Partial<SandboxSpec> = {}) {
  return await home.sandboxes.driver(driver).start(
    makeSpec({ ...await denoProgram(home.folder, source), ...given }),
  );
}

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 4000; tries++) {
    if (await check()) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`it did not come to this: ${what}`);
}

/** The command lines of the host's processes, arguments apart. */
async function commandLines(): Promise<string[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args", "-ww"] }).output();
  return new TextDecoder().decode(stdout).split("\n");
}

/** Every file below a folder that holds a text; sockets and FIFOs are left out. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isFile, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await filesWith(path, text));
    if (isFile && (await Deno.readTextFile(path)).includes(text)) found.push(path);
  }
  return found;
}

/** A daemon that starts the spec and is killed, as `kill -9` does. */
async function killedDaemon(
  home: Home,
  driver: DriverName,
  spec: SandboxSpec,
  ready: () => Promise<boolean>,
) {
  const script = new URL("daemon.ts", import.meta.url).pathname;
  const args = [
    "run",
    "-A",
    "--no-check",
    script,
    home.folder,
    driver,
    await guestFolder(),
    JSON.stringify(spec),
  ];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "inherit" }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const handle = (await reader.read()).value!.trim();
  await until(ready, "the sandbox is up");
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
  return handle;
}

for (const driver of STRICT) {
  onDriver(
    driver,
    "what is made ahead runs nothing until it is told to, and goes unused too",
    async (_, home) => {
      const shared = join(home.folder, "shared");
      await Deno.mkdir(shared);
      await Deno.chmod(shared, 0o777);
      const source = `Deno.writeTextFileSync("/shared/ran", "yes"); console.log("out"); Deno.exit(7);`;
      const { program, mounts } = await denoProgram(home.folder, source, { write: ["/shared"] });
      const spec = makeSpec({
        program,
        mounts: [...mounts, { source: shared, target: "/shared", mode: "rw" }],
      });
      const strict = home.sandboxes.driver(driver);
      const unused = await strict.prepare({ ...spec, name: "unused" });
      await unused.discard();
      const prepared = await strict.prepare({ ...spec, name: "later" });
      await new Promise((later) => setTimeout(later, 300));
      assert.deepEqual(await Array.fromAsync(Deno.readDir(shared)), []);
      const sandbox = await prepared.start();
      assert.deepEqual(await sandbox.exited, { code: 7, reason: "exited" }, sandbox.log());
      assert.match(sandbox.log(), /out/);
      assert.equal(await Deno.readTextFile(join(shared, "ran")), "yes");
      assert.equal(await home.again().reap([]), 0, "nothing is left of either");
    },
  );
}

for (const driver of ALL) {
  onDriver(driver, "the exit code, both streams and the arguments arrive", async (_, home) => {
    const made = await denoProgram(
      home.folder,
      `console.log("out", Deno.args.join("|")); console.error("err"); Deno.exit(7);`,
    );
    const program = { ...made.program, args: ["a b", 'c"d', "$HOME"] } as SandboxSpec["program"];
    const sandbox = await home.sandboxes.driver(driver).start(makeSpec({ ...made, program }));
    assert.deepEqual(await sandbox.exited, { code: 7, reason: "exited" });
    assert.match(sandbox.log(), /out a b\|c"d\|\$HOME/);
    assert.match(sandbox.log(), /err/);
  });

  onDriver(driver, "a stop asks first, and kills what does not listen", async (_, home) => {
    const polite = await start(
      home,
      driver,
      `Deno.addSignalListener("SIGTERM", () => Deno.exit(3)); console.log("up"); setInterval(() => {}, 1000);`,
    );
    await until(() => polite.log().includes("up"), "the polite one is up");
    assert.deepEqual(await polite.stop(60_000), { code: 3, reason: "stopped" });
    const deaf = await start(
      home,
      driver,
      `Deno.addSignalListener("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000);`,
    );
    await until(() => deaf.log().includes("up"), "the deaf one is up");
    assert.deepEqual(await deaf.stop(300), { code: 137, reason: "stopped" });
  });

  onDriver(driver, "a sandbox that is stopped while it starts leaves nothing", async (_, home) => {
    const sandbox = await start(home, driver, `setInterval(() => {}, 1000);`);
    assert.equal((await sandbox.stop(0)).reason, "stopped");
    await new Promise((done) => setTimeout(done, 500));
    assert.equal((await commandLines()).filter((line) => line.includes(sandbox.name)).length, 0);
  });

  onDriver(driver, "a name is one sandbox's as long as it runs", async (_, home) => {
    const made = await denoProgram(home.folder, `console.log("up"); setInterval(() => {}, 1000);`);
    const spec = makeSpec(made);
    const first = await home.sandboxes.driver(driver).start(spec);
    await assert.rejects(home.sandboxes.driver(driver).start(spec), /runs already/);
    await until(() => first.log().includes("up"), "the first is not harmed");
    await first.stop(0);
    const second = await home.sandboxes.driver(driver).start(spec);
    await until(() => second.log().includes("up"), "the name is free again");
    await second.stop(0);
  });

  onDriver(driver, "its time is limited", async (_, home) => {
    const sandbox = await start(home, driver, `setInterval(() => {}, 1000);`, { timeoutMs: 1200 });
    assert.deepEqual(await sandbox.exited, { code: 137, reason: "time" });
  });

  onDriver(driver, "a JavaScript heap that grows too large is told as memory", async (_, home) => {
    const source = `const held = []; for (;;) held.push(new Array(1e5).fill(0).map(() => ({})));`;
    const sandbox = await start(home, driver, source, { memoryBytes: 256 << 20 });
    assert.equal((await sandbox.exited).reason, "memory");
    await assert.rejects(
      Deno.stat("oom"),
      Deno.errors.NotFound,
      "nothing is left where the daemon was started",
    );
  });

  onDriver(driver, "stdin comes from a FIFO and the output goes to a file", async (_, home) => {
    const [fifo, logFile] = [join(home.folder, "in"), join(home.folder, "out.log")];
    await new Deno.Command("mkfifo", { args: [fifo] }).output();
    const source = `for await (const bytes of Deno.stdin.readable) {
      console.log("got", new TextDecoder().decode(bytes).trim()); Deno.exit(0); }`;
    const sandbox = await start(home, driver, source, { stdinFifo: fifo, logFile });
    await Deno.writeTextFile(fifo, "a line\n");
    assert.equal((await sandbox.exited).code, 0);
    assert.equal((await Deno.readTextFile(logFile)).trim(), "got a line");
    assert.equal(sandbox.log().trim(), "got a line");
  });

  onDriver(driver, "a secret is in the program's environment and nowhere else", async (_, home) => {
    const canary = `canary-${crypto.randomUUID()}`;
    const sandbox = await start(
      home,
      driver,
      `console.log("length", Deno.env.get("KEY")?.length); setInterval(() => {}, 1000);`,
      {
        secretEnv: { KEY: canary },
        labels: { visible: "label" },
      },
    );
    await until(() => sandbox.log().includes(`length ${canary.length}`), "the program has the secret");
    assert.deepEqual((await commandLines()).filter((line) => line.includes(canary)), []);
    assert.deepEqual(await filesWith(home.folder, canary), []);
    if (driver === "podman") {
      const { stdout } = await new Deno.Command("podman", { args: ["inspect", sandbox.handle] }).output();
      const text = new TextDecoder().decode(stdout);
      assert.match(text, /"visible": "label"/);
      assert.doesNotMatch(text, new RegExp(canary));
    }
    await sandbox.stop(0);
  });

  onDriver(
    driver,
    "what a killed daemon left is removed at the next start, and nothing else",
    async (_, home) => {
      const logFile = join(home.folder, "up.log");
      const made = await denoProgram(home.folder, `console.log("up"); setInterval(() => {}, 1000);`);
      const spec = makeSpec({ ...made, logFile, outlivesDaemon: true });
      const up = async () => (await Deno.readTextFile(logFile).catch(() => "")).includes("up");
      const handle = await killedDaemon(home, driver, spec, up);
      const next = home.again();
      assert.equal(await next.driver(driver).reap([handle]), 0);
      assert.equal(await next.driver(driver).reap([]), 1);
      await until(async () => !(await commandLines()).some((line) => line.includes(spec.name)), "it is gone");
      assert.equal(await next.driver(driver).reap([]), 0);
      assert.deepEqual(await Array.fromAsync(Deno.readDir(join(home.folder, "run/box"))), []);
    },
  );

  onDriver(driver, "a session outlives its daemon and goes on under the next", async (_, home) => {
    const [fifo, logFile] = [join(home.folder, "in"), join(home.folder, "out.log")];
    await new Deno.Command("mkfifo", { args: [fifo] }).output();
    const plain = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => new Response("still here"),
    );
    const { port } = plain.addr;
    const egress = [{ host: "127.0.0.1", port, namedLocal: true }];
    const made = await denoProgram(
      home.folder,
      `console.log("up"); for await (const bytes of Deno.stdin.readable) {
      console.log(await (await fetch("http://127.0.0.1:${port}/")).text()); Deno.exit(4); }`,
    );
    const spec = makeSpec({ ...made, egress, stdinFifo: fifo, logFile, outlivesDaemon: true });
    const up = async () => (await Deno.readTextFile(logFile).catch(() => "")).includes("up");
    const handle = await killedDaemon(home, driver, spec, up);
    const next = home.again();
    assert.equal(await next.adopt(driver, spec.name, handle + "0", { egress }), undefined);
    const sandbox = await next.adopt(driver, spec.name, handle, { egress });
    assert.ok(sandbox);
    assert.equal(await next.driver(driver).reap([]), 0);
    await Deno.writeTextFile(fifo, "go on\n");
    assert.deepEqual(await sandbox.exited, { code: 4, reason: "exited" });
    assert.match(sandbox.log(), /up\nstill here/);
    await plain.shutdown();
  });

  onDriver(driver, "how a session ended while no daemon ran is known to the next", async (_, home) => {
    const logFile = join(home.folder, "out.log");
    const made = await denoProgram(
      home.folder,
      `console.log("up"); setTimeout(() => { console.log("last words"); Deno.exit(4); }, 1500);`,
    );
    const spec = makeSpec({ ...made, logFile, outlivesDaemon: true });
    const up = async () => (await Deno.readTextFile(logFile).catch(() => "")).includes("up");
    const began = Date.now();
    const handle = await killedDaemon(home, driver, spec, up);
    const next = home.again();
    let exit = await next.pastExit(driver, spec.name, handle);
    for (; !exit; exit = await next.pastExit(driver, spec.name, handle)) await delay(50);
    assert.deepEqual([exit.code, exit.reason], [4, "exited"]);
    assert.ok(began < exit.at && exit.at <= Date.now());
    assert.match(await Deno.readTextFile(logFile), /last words/);
    assert.equal(await next.pastExit(driver, spec.name, handle), undefined);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(join(home.folder, "run/box"))), []);
  });

  onDriver(driver, "a spec that cannot be started is refused before anything is made", async (_, home) => {
    const made = await denoProgram(home.folder, "");
    const to = home.sandboxes.driver(driver);
    const mounts = [{ source: join(home.folder, "missing"), target: "/x", mode: "ro" } as const];
    await assert.rejects(to.start(makeSpec({ ...made, mounts })), /there is no .*missing to mount/);
    await assert.rejects(to.start(makeSpec({ ...made, name: "../up" })), /named by a-z/);
    await assert.rejects(to.start(makeSpec({ ...made, env: { "A B": "x" } })), /no name of a variable/);
    await assert.rejects(to.start(makeSpec({ ...made, cwd: "/tmp/../etc" })), /without '\.\.'/);
  });
}

for (const driver of STRICT) {
  const shell = (script: string) => ({ kind: "argv", argv: ["sh", "-c", script] }) as const;

  onDriver(driver, "children that left the process group end with the sandbox", async (_, home) => {
    const mark = String(70_000 + Math.floor(Math.random() * 9000));
    const program = shell(`setsid sleep ${mark} & nohup sleep ${mark} & echo up; sleep 0.2`);
    const sandbox = await home.sandboxes.driver(driver).start(makeSpec({ kind: "agent", program }));
    await sandbox.exited;
    await until(
      async () => !(await commandLines()).some((line) => line === `sleep ${mark}`),
      "no child is left",
    );
  });

  onDriver(driver, "a command has its egress and its secrets too", async (_, home) => {
    const plain = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => new Response("answered"),
    );
    const { port } = plain.addr;
    const script =
      `echo "key $KEY"; ${INSIDE.deno} eval 'console.log(await (await fetch("http://127.0.0.1:${port}/")).text())'; exit 9`;
    const sandbox = await home.sandboxes.driver(driver).start(makeSpec({
      kind: "agent",
      program: shell(script),
      secretEnv: { KEY: "of-the-command" },
      egress: [{ host: "127.0.0.1", port, namedLocal: true }],
    }));
    assert.equal((await sandbox.exited).code, 9, sandbox.log());
    assert.match(sandbox.log(), /key of-the-command\nanswered/);
    const without = await home.sandboxes.driver(driver).start(makeSpec({
      kind: "agent",
      program: shell(`echo "key $KEY"`),
      secretEnv: { KEY: "once-more" },
    }));
    await without.exited;
    assert.match(without.log(), /key once-more/);
    await plain.shutdown();
  });

  onDriver(driver, "a program that takes too much memory is told apart", async (_, home) => {
    const source = `const held = []; for (;;) held.push(new Uint8Array(16 << 20).fill(1));`;
    const sandbox = await start(home, driver, source, { memoryBytes: 128 << 20 });
    assert.equal((await sandbox.exited).reason, "memory");
  });
}

onDriver("podman", "a program in an image of its own has Deno's boot where it needs it", async (_, home) => {
  const podman = home.sandboxes.driver("podman");
  const image = `localhost/handler-test-empty:${crypto.randomUUID().slice(0, 8)}`;
  const root = join(home.folder, "image");
  for (const folder of ["etc", "proc", "sys", "dev", "tmp", "run"]) {
    await Deno.mkdir(join(root, folder), { recursive: true });
  }
  const script = `tar -C "$1" -cf - . | podman import --quiet - "$2"`;
  await new Deno.Command("sh", { args: ["-c", script, "sh", root, image] }).output();
  try {
    const made = await denoProgram(home.folder, `console.log("in an empty image", Deno.env.get("KEY"));`);
    const sandbox = await podman.start(makeSpec({ ...made, image, secretEnv: { KEY: "given" } }));
    assert.equal((await sandbox.exited).code, 0, sandbox.log());
    assert.match(sandbox.log(), /in an empty image given/);
  } finally {
    await new Deno.Command("podman", { args: ["rmi", "--force", image] }).output();
  }
  const named = (await imageStatus({ named: undefined })).present[0]!;
  const code = `console.log("own argv", Deno.env.get("KEY"))`;
  const program = { kind: "argv", argv: ["/bin/deno", "eval", "--no-config", code] } as const;
  const plain = await podman.start(makeSpec({ program, image: named, secretEnv: { KEY: "by podman" } }));
  assert.equal((await plain.exited).code, 0, plain.log());
  assert.match(plain.log(), /own argv by podman/);
  const { stdout } = await new Deno.Command("podman", { args: ["secret", "ls", "--format", "{{.Name}}"] })
    .output();
  assert.doesNotMatch(new TextDecoder().decode(stdout), new RegExp(plain.name));
  await assert.rejects(
    home.sandboxes.driver("bubblewrap").start(makeSpec({ program, image: named })),
    /needs the image/,
  );
});
