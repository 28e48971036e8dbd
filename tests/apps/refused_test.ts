import assert from "node:assert/strict";
import { HandlerError, ProblemList, sha256Hex } from "../../src/base/mod.ts";
import { visit } from "./ask.ts";
import type { Desk } from "./desk.ts";
import { onDriver, onDrivers } from "./drivers.ts";
import { backend, layApp, notes } from "./small_app.ts";

// Whatever fails leaves the installed version and the data as they were, and says why.

const V2 = { name: "notes", version: "2.0.0" };

/** A deploy that must fail: at which step, and what is said. */
interface Failing {
  readonly what: string;
  readonly app: Parameters<typeof layApp>[1];
  readonly step: string;
  readonly message: RegExp;
  readonly hint: RegExp;
}

const FAILING: readonly Failing[] = [
  {
    what: "a test of its own fails",
    app: {
      ...V2,
      test: 'Deno.test("adds up", () => { if (1 + 1 !== 3) throw new Error("two is not three"); });',
    },
    step: "test",
    message: /the app's tests ended with 1/,
    hint: /adds up[\s\S]*two is not three/,
  },
  {
    what: "its tests look for data, secrets and a network",
    app: {
      ...V2,
      manifest: '[needs]\negress = ["example.org:443"]\nsecrets = ["API_KEY"]',
      test: `Deno.test("reaches", async () => {
        const data = [...Deno.readDirSync(Deno.env.get("HANDLER_APP_DATA"))].length;
        const secret = Deno.env.get("API_KEY");
        const reached = await fetch("https://example.org/").then(() => true, () => false);
        throw new Error("found " + JSON.stringify({ data, secret, reached }));
      });`,
    },
    step: "test",
    message: /the app's tests ended with 1/,
    hint: /found {"data":0,"reached":false}/,
  },
  {
    what: "its migration fails on the real data",
    app: { ...V2, server: notes("CREATE UNIQUE INDEX texts ON notes (text)") },
    step: "rehearse",
    message: /does not come up: it ended with 1/,
    hint: /UNIQUE constraint failed: notes\.text/,
  },
  {
    what: "it never becomes healthy",
    app: { ...V2, server: notes().replace('new Response("ok")', "Deno.exit(3)") },
    step: "rehearse",
    message: /does not come up: it ended with 3/,
    hint: /.*/,
  },
  {
    what: "its module has a fault",
    app: { ...V2, server: "import './nowhere.ts';" },
    step: "rehearse",
    message: /does not come up: it ended with 1/,
    hint: /nowhere\.ts/,
  },
  {
    what: "it writes to where it may not",
    app: {
      ...V2,
      server: notes("", "").replace("Deno.serve", 'Deno.writeTextFileSync("/opt/app/x", "");\nDeno.serve'),
    },
    step: "rehearse",
    message: /does not come up/,
    hint: /Read-only file system|denied/i,
  },
];

async function withNotes(desk: Desk): Promise<string> {
  const source = await desk.lay({ name: "notes" });
  await desk.deploy("notes");
  const page = await visit(desk, "notes");
  for (const body of ["same", "same"]) await page.ask({ method: "POST", path: "/api/notes", body });
  return source;
}

/** Everything of an app on the disk but its log, by path, with what the files hold. */
async function everything(desk: Desk): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const walk = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await walk(path);
      else if (!/app\.log$|-shm$|-wal$/.test(name)) {
        found.set(path, await sha256Hex(await Deno.readFile(path)));
      }
    }
  };
  await walk(`${desk.folders.data}/apps`);
  found.set("registry", await Deno.readTextFile(`${desk.folders.state}/apps.json`));
  return found;
}

async function mustFail(desk: Desk, { app, step, message, hint }: Failing, source: string): Promise<void> {
  await layApp(source, app);
  await desk.apps.settle(
    "notes",
    (settings) => ({ ...settings, secrets: { API_KEY: { kind: "store", name: "key" } } }),
  );
  await desk.apps.stop("notes");
  const before = await everything(desk);
  const steps: string[] = [];
  const error = await desk.deploy("notes", (progress) => {
    if (progress.state === "failed") steps.push(progress.step, progress.detail);
  }).catch((error) => error);
  assert.ok(error instanceof HandlerError, `${app.version} was deployed`);
  assert.match(error.message, message);
  assert.match(error.hint ?? "", hint);
  assert.equal(steps[0], step);
  assert.match(steps[1]!, message);
  assert.deepEqual(await everything(desk), before);
}

onDriver("bubblewrap", "a deploy that fails leaves everything as it was", async (desk) => {
  const source = await withNotes(desk);
  for (const failing of FAILING) await mustFail(desk, failing, source);
  const page = await visit(desk, "notes");
  assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["same", "same"]);
});

onDriver("podman", "a deploy that fails leaves everything as it was", async (desk) => {
  const source = await withNotes(desk);
  for (const failing of FAILING.slice(1, 3)) await mustFail(desk, failing, source);
});

onDriver("bubblewrap", "of two deploys at once one runs and one is refused with the reason", async (desk) => {
  await desk.lay({ name: "notes" });
  const outcomes = await Promise.allSettled([
    desk.deploy("notes"),
    desk.deploy("notes"),
    desk.deploy("notes"),
  ]);
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason.message] : []
  );
  const why = "the app notes is being deployed; it cannot be deployed at the same time";
  assert.deepEqual(refused, [why, why]);
  assert.equal(desk.apps.registry.get("notes").versions.length, 1);
});

onDriver("bubblewrap", "what was shown is what is installed, new needs are shown again", async (desk) => {
  const source = await withNotes(desk);
  const shown = await desk.apps.plan("notes");
  assert.deepEqual(shown.newNeeds, []);
  await layApp(source, { ...V2, manifest: '[needs]\negress = ["example.org:443"]\nnotify = true' });
  await assert.rejects(
    desk.apps.deploy("notes", shown.hash, () => {}),
    /the manifest has changed since it was shown/,
  );
  const plan = await desk.apps.plan("notes");
  assert.deepEqual(plan.newNeeds, ["reach example.org:443", "put messages into your inbox"]);
  await desk.apps.deploy("notes", plan.hash, () => {});
  assert.deepEqual((await desk.apps.plan("notes")).newNeeds, []);
});

onDrivers("links in the data, FIFOs and files with holes are neither followed nor filled", async (desk) => {
  const source = await withNotes(desk);
  const data = `${desk.folders.data}/apps/notes/data`;
  await desk.apps.stop("notes");
  const victim = `${desk.root}/victim`;
  await Deno.writeTextFile(victim, "precious");

  const hole = await Deno.open(`${data}/hole`, { write: true, createNew: true });
  await hole.truncate(100 * 1024 ** 2);
  hole.close();
  await layApp(source, V2);
  await desk.deploy("notes");
  const blocks = (path: string) => (Deno.statSync(path).blocks ?? 0) * 512;
  const backup = `${desk.folders.data}/apps/notes/backups/2/hole`;
  assert.equal(Deno.statSync(backup).size, 100 * 1024 ** 2);
  assert.ok(blocks(backup) < 1024 ** 2, "a hole stays a hole");
  await Deno.remove(`${data}/hole`);

  const plants: readonly (readonly [string, RegExp, () => Promise<unknown>])[] = [
    ["link", /link cannot be copied: it is a link/, () => Deno.symlink(victim, `${data}/link`)],
    [
      "notes.db-journal",
      /journal cannot be copied: it is a link/,
      () => Deno.symlink(victim, `${data}/notes.db-journal`),
    ],
    ["fifo", /fifo cannot be copied: it is not a regular file/, () => command("mkfifo", `${data}/fifo`)],
    [
      "sparse",
      /sparse cannot be copied: it is sparse/,
      () => command("truncate", "-s", "20G", `${data}/sparse`),
    ],
  ];
  for (const [name, message, plant] of plants) {
    await plant();
    await assert.rejects(desk.deploy("notes"), message);
    assert.deepEqual(
      (await desk.apps.planRollback("notes")).lost,
      {},
      "a person can still leave the version",
    );
    await Deno.remove(`${data}/${name}`);
  }
  assert.equal(await Deno.readTextFile(victim), "precious");

  await Deno.remove(`${data}/notes.db-wal`).catch(() => {}); // it could hold every page
  await Deno.writeTextFile(`${data}/notes.db`, "SQLite format 3\0, and then nothing of the kind");
  await assert.rejects(desk.deploy("notes"), /the database notes\.db: /);
  assert.match((await desk.apps.planRollback("notes")).uncounted!, /the database notes\.db: /);
  await desk.apps.rollback("notes");
  const page = await visit(desk, "notes");
  assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["same", "same"]);
});

async function command(program: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(program, { args }).output();
  assert.ok(success, program);
}

onDriver("bubblewrap", "a disk that is full leaves the old version, and is said", async (desk) => {
  const small = `${desk.root}/small`;
  await Deno.mkdir(small);
  const mounted = await new Deno.Command("mount", { args: ["-t", "tmpfs", "-o", "size=8m", "tmpfs", small] })
    .output();
  assert.ok(mounted.success, "this test mounts a small file system");
  try {
    await desk.lay({ name: "notes" });
    await Deno.rename(`${desk.folders.data}`, `${desk.folders.data}.away`).catch(() => {});
    await Deno.symlink(small, desk.folders.data);
    await desk.deploy("notes");
    const page = await visit(desk, "notes");
    await page.ask({ method: "POST", path: "/api/notes", body: "x".repeat(3 * 1024 ** 2) });
    await assert.rejects(desk.deploy("notes"), /disk is full|No space left/i);
    const { text } = await page.ask({ path: "/api/notes" });
    assert.equal(JSON.parse(text)[0].length, 3 * 1024 ** 2);
    assert.equal(desk.apps.registry.get("notes").versions.length, 1);
  } finally {
    await desk.apps.close();
    await new Deno.Command("umount", { args: ["-l", small] }).output();
  }
});

onDriver(
  "bubblewrap",
  "a page without a backend's folder, a link that leads out: said before anything runs",
  async (desk) => {
    const source = await desk.lay({ name: "notes", server: backend("") });
    await Deno.writeTextFile(`${desk.root}/outside`, "precious");
    const refused = (message: RegExp) => assert.rejects(desk.deploy("notes"), message);
    await Deno.symlink(`${desk.root}/outside`, `${source}/server/out.ts`);
    await refused(/out\.ts cannot be copied: its link leads out/);
    await Deno.remove(`${source}/server/out.ts`);
    await Deno.symlink("main.ts", `${source}/server/again.ts`);
    await desk.deploy("notes");
    const { folder } = desk.apps.registry.get("notes").versions[0]!;
    assert.equal(await Deno.readLink(`${folder}/server/again.ts`), "main.ts");
    await Deno.rename(`${source}/ui/dist`, `${source}/ui/away`);
    await Deno.symlink("/etc", `${source}/ui/dist`);
    await assert.rejects(desk.deploy("notes"));
    await Deno.remove(`${source}/ui/dist`);
    await Deno.rename(`${source}/ui/away`, `${source}/ui/dist`);
    await Deno.rename(`${source}/app.toml`, `${desk.root}/app.toml`);
    await Deno.symlink(`${desk.root}/app.toml`, `${source}/app.toml`);
    await assert.rejects(desk.apps.plan("notes"), (error: unknown) => {
      return error instanceof ProblemList && /it is a link/.test(error.problems[0]!.message);
    });
  },
);
