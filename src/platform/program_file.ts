/** What a program file says it runs on, in Deno's words (`linux`, `darwin`; `x86_64`, `aarch64`). */
export interface ProgramTarget {
  readonly os: string;
  readonly arch: string;
}

const ELF_MACHINES: Readonly<Record<number, string>> = {
  0x03: "i386",
  0x28: "arm",
  0x3e: "x86_64",
  0xb7: "aarch64",
  0xf3: "riscv64",
};
const MACH_PROCESSORS: Readonly<Record<number, string>> = { 0x01000007: "x86_64", 0x0100000c: "aarch64" };

/** The target of an ELF or Mach-O file by its first bytes; undefined where it is neither, such as a script. */
export async function programTarget(path: string): Promise<ProgramTarget | undefined> {
  using file = await Deno.open(path);
  const head = new Uint8Array(20);
  if (await file.read(head) !== head.length) return undefined;
  const view = new DataView(head.buffer);
  if (view.getUint32(0) === 0x7f454c46) {
    const little = head[5] !== 2;
    return { os: "linux", arch: ELF_MACHINES[view.getUint16(18, little)] ?? "another processor" };
  }
  if (view.getUint32(0, true) === 0xfeedfacf) {
    return { os: "darwin", arch: MACH_PROCESSORS[view.getUint32(4, true)] ?? "another processor" };
  }
  return undefined;
}
