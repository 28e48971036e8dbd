import {
  DENIED,
  EAFNOSUPPORT,
  ENOSYS,
  EPERM,
  NAMESPACE_FLAGS,
  SOCKET_FAMILIES,
  TERMINAL_REQUESTS,
} from "./denied.ts";

/** A processor that the filter is written for: its number in the kernel's audit, and the calls it looks into. */
interface Machine {
  readonly audit: number;
  readonly column: 0 | 1;
  readonly clone: number;
  readonly clone3: number;
  readonly socket: number;
  readonly ioctl: number;
}

const MACHINES: Readonly<Record<string, Machine>> = {
  x86_64: { audit: 0xc000003e, column: 0, clone: 56, clone3: 435, socket: 41, ioctl: 16 },
  aarch64: { audit: 0xc00000b7, column: 1, clone: 220, clone3: 435, socket: 198, ioctl: 29 },
};

/** One instruction of classic BPF: operation, where to go when it holds and when not, operand. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number];

const [LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
const NUMBER = 0; // offsets in struct seccomp_data
const ARCHITECTURE = 4;
const argument = (n: number) => 16 + 8 * n; // its lower half, which is all that the kernel looks at here
const ALLOW: Instruction = [RETURN, 0, 0, 0x7fff0000];
const fail = (error: number): Instruction => [RETURN, 0, 0, 0x00050000 | error];
const X32 = 0x40000000; // a second set of numbers on x86_64

/**
 * The seccomp filter for bubblewrap, as `struct sock_filter[]`; undefined for a processor that it is not written for.
 * What it refuses fails with EPERM, as without the right to it; another processor's calls are missing altogether.
 */
export function seccompFilter(arch: string): Uint8Array | undefined {
  const machine = MACHINES[arch];
  return machine && encode([
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUAL, 1, 0, machine.audit],
    fail(ENOSYS),
    [LOAD, 0, 0, NUMBER],
    ...(machine.column === 0 ? [[AT_LEAST, 0, 1, X32], fail(ENOSYS)] as const : []),
    ...deniedNumbers(machine).flatMap((number): Instruction[] => [[EQUAL, 0, 1, number], fail(EPERM)]),
    [EQUAL, 0, 1, machine.clone3],
    fail(ENOSYS),
    ...inside(machine.clone, 0, [[ANY_BIT, 0, 1, NAMESPACE_FLAGS], fail(EPERM)]),
    ...inside(
      machine.ioctl,
      1,
      TERMINAL_REQUESTS.flatMap((one): Instruction[] => [[EQUAL, 0, 1, one], fail(EPERM)]),
    ),
    ...inside(machine.socket, 0, [
      ...Object.values(SOCKET_FAMILIES).flatMap((one): Instruction[] => [[EQUAL, 0, 1, one], ALLOW]),
      fail(EAFNOSUPPORT),
    ]),
    ALLOW,
  ]);
}

function deniedNumbers({ column }: Machine): readonly number[] {
  return Object.values(DENIED).map((numbers) => numbers[column]).filter((number) => number !== undefined);
}

/** Instructions for one call, with one of its arguments loaded; the call's number is loaded again behind them. */
function inside(call: number, loaded: number, instructions: readonly Instruction[]): Instruction[] {
  const body: Instruction[] = [[LOAD, 0, 0, argument(loaded)], ...instructions, ALLOW];
  return [[EQUAL, 0, body.length, call], ...body];
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  instructions.forEach(([code, whenTrue, whenFalse, operand], n) => {
    bytes.setUint16(n * 8, code, true);
    bytes.setUint8(n * 8 + 2, whenTrue);
    bytes.setUint8(n * 8 + 3, whenFalse);
    bytes.setUint32(n * 8 + 4, operand >>> 0, true);
  });
  return new Uint8Array(bytes.buffer);
}
