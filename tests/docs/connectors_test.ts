/** `docs/connectors.md`, followed word by word in a fresh home with a real daemon and real sandboxes. */
import assert from "node:assert/strict";
import { ROOT } from "../../tools/repository.ts";
import { startFakeMistral } from "../fakes/mistral.ts";
import { fixtureAnswers } from "../fakes/mistral_answers.ts";
import { stepsOf } from "./page.ts";
import { driversHere, Walk, type WalkOptions } from "./walk.ts";

const KEY = "a key of the server";
const DATA = ".local/share/handler-ai";
const FIXTURES = `${ROOT}/interfaces/ocr/v1/conformance`;

for (const driver of await driversHere()) {
  Deno.test(`docs/connectors.md leads from nothing to passing checks (${driver})`, () => follow(driver));
}

async function follow(driver: WalkOptions["driver"]): Promise<void> {
  const vendor = await startFakeMistral({ key: KEY, answers: await fixtureAnswers(FIXTURES) });
  await using walk = await Walk.begin({
    driver,
    instead: { "https://ocr.example.com": vendor.origin },
    config: `[egress]\ncaFile = "~/authority.pem"\n`,
  });
  try {
    await walk.write("authority.pem", vendor.caPem);
    await walk.installCommands();
    await layWords(walk);
    await walk.startDaemon();
    for (const step of await stepsOf("connectors.md")) {
      await walk.follow(step, (path) => `${DATA}/connectors/${path}`);
    }
    const states = await walk.shell("handler connector list");
    assert.match(states.stdout, /^ocr-mine +ocr\/v1 +proven +its address/m);
    assert.match(states.stdout, /^words-mine +words\/v1 +proven +nothing/m);
    await soundManifests(walk);
    if (driver === "bubblewrap") await checkWrapped(walk);
  } finally {
    await vendor.close();
  }
}

/** The interface of `docs/interfaces.md`, which the page takes as there. */
async function layWords(walk: Walk): Promise<void> {
  for (const step of await stepsOf("interfaces.md")) {
    if (step.kind === "file") await walk.write(`${DATA}/interfaces/${step.path}`, step.text);
  }
  await Deno.writeFile(
    `${walk.home}/${DATA}/interfaces/words/v1/conformance/bytes.bin`,
    new Uint8Array([0, 1, 255]),
  );
}

/** Every manifest that the page shows is read without a problem. */
async function soundManifests(walk: Walk): Promise<void> {
  for (const name of ["ocr-mine", "words-mine", "ocr-wrapped", "ocr-remote", "ocr-image"]) {
    const { code, stderr } = await walk.shell(`handler trust ${name} --yes`);
    assert.equal(code, 0, stderr);
  }
  const { stdout } = await walk.shell("handler doctor");
  assert.match(stdout, /interfaces and connectors: no problems/);
}

/** The wrapped server of the page, with a reader that knows the fixtures, passes the check too. */
async function checkWrapped(walk: Walk): Promise<void> {
  const answers = Object.fromEntries(await fixtureAnswers(FIXTURES));
  const reader = await Deno.readTextFile(`${ROOT}/tests/docs/fixtures/reader.js`);
  await walk.write(
    `${DATA}/connectors/ocr-wrapped/reader.js`,
    reader.replace("ANSWERS", JSON.stringify(answers)),
  );
  for (
    const line of [
      "handler trust ocr-wrapped --yes",
      "handler binding add ocr-wrapped --connector ocr-wrapped",
      "handler connector check ocr-wrapped",
    ]
  ) {
    const { code, stdout, stderr } = await walk.shell(line);
    assert.equal(code, 0, `${line}\n${stdout}${stderr}`);
  }
}
