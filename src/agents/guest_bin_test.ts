import assert from "node:assert/strict";
import { createGuestBin, GUEST_COMMANDS } from "./guest_bin.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("from source the commands are scripts for the Deno of the sandbox, and they run", () =>
  inFolder(async (folder) => {
    for (const name of ["service", "call", "llm", "handler"]) {
      Deno.writeTextFileSync(`${folder}/${name}.js`, `console.log("${name}", ...Deno.args);`);
    }
    const options = { stateFolder: folder, bundleFolder: folder, compiledProgram: undefined };
    const bin = await createGuestBin({ ...options, denoInside: () => Deno.execPath() }).binFolder(
      "bubblewrap",
    );
    assert.equal(bin, `${folder}/guest/bin-bubblewrap`);
    const { stdout } = await new Deno.Command(`${bin}/handler-call`, { args: ["ocr_extract", "--path", "x"] })
      .output();
    assert.equal(new TextDecoder().decode(stdout), "call ocr_extract --path x\n");
    assert.equal((Deno.statSync(`${bin}/handler-llm`).mode ?? 0) & 0o777, 0o755);
  }));

Deno.test("a bundle that was not made is an error with the way to make it, and is looked for again", () =>
  inFolder(async (folder) => {
    const options = { stateFolder: folder, bundleFolder: folder, compiledProgram: undefined };
    const guest = createGuestBin({ ...options, denoInside: () => "/deno" });
    await assert.rejects(guest.binFolder("podman"), /service\.js is not there/);
    for (const name of ["service", "call", "llm", "handler"]) {
      Deno.writeTextFileSync(`${folder}/${name}.js`, "");
    }
    await guest.binFolder("podman");
  }));

Deno.test("the compiled program is all commands, one file on the disk, and a new one takes its place", () =>
  inFolder(async (folder) => {
    const program = `${folder}/handlerd`;
    const place = async (text: string) => {
      await Deno.remove(program).catch(() => {});
      Deno.writeTextFileSync(program, text, { mode: 0o755 });
      const options = { stateFolder: folder, bundleFolder: folder, compiledProgram: program };
      const bin = await createGuestBin({ ...options, denoInside: () => "/deno" }).binFolder("bubblewrap");
      return GUEST_COMMANDS.map((
        name,
      ) => [Deno.readTextFileSync(`${bin}/${name}`), Deno.statSync(`${bin}/${name}`).ino]);
    };
    const first = await place("old");
    assert.deepEqual(first, GUEST_COMMANDS.map(() => ["old", Deno.statSync(program).ino]));
    const second = await place("new");
    assert.deepEqual(second, GUEST_COMMANDS.map(() => ["new", Deno.statSync(program).ino]));
  }));
