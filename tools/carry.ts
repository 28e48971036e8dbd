/**
 * Puts a pack into a compiled Linux program, between what the system loads and what Deno added:
 *
 *     deno run -A tools/carry.ts <program> <pack>
 *
 * Deno finds its part from the end of the file, so it does not notice; see src/platform/carried.ts for the other side.
 * @module
 */
import { elfEnd, readBytes, writeAtomic } from "../src/platform/mod.ts";

/** Puts the file `packed` into the file `program`, in place. */
export async function carry(program: string, packed: string): Promise<void> {
  const [bytes, added, end] = [await readBytes(program), await readBytes(packed), await elfEnd(program)];
  const whole = new Uint8Array(bytes.length + added.length);
  whole.set(bytes.subarray(0, end));
  whole.set(added, end);
  whole.set(bytes.subarray(end), end + added.length);
  await writeAtomic(program, whole, 0o755);
}

if (import.meta.main) {
  const [program, packed] = Deno.args;
  if (!program || !packed) throw new Error("usage: tools/carry.ts <program> <pack>");
  await carry(program, packed);
}
