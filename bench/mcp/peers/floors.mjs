// The direct call, and processes that only copy bytes.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { backend, ECHO, ECHO2, npm, TMP } from "../lib/places.mjs";

const relay = join(dirname(fileURLToPath(import.meta.url)), "../floor/relay.mjs");
const deno = npm("npm", "deno");
const DENO = [deno, "run", "-A", "--no-config", relay];
const NATIVE = [deno, "run", "-A", "--no-config", relay.replace(/relay\.mjs$/, "relay-native.ts")];

/** The backends themselves. */
export const direct = (port) => [
  { name: "direct-stdio", group: "base", kind: "stdio", to: "-", command: ECHO },
  { name: "direct-stdio-sdk2", group: "base", kind: "stdio", to: "-", command: ECHO2 },
  {
    name: "direct-http",
    group: "base",
    kind: "http",
    to: "-",
    command: ["node", backend("echo-http.mjs"), `${port}`],
    allBackend: true,
  },
];

/** No router of two processes is quicker. */
export const floors = () => [
  {
    name: "floor-1hop-node",
    group: "floor",
    kind: "stdio",
    to: "stdio",
    command: ["node", relay, "shim", `${TMP}/f1n.sock`],
    aux: { command: ["node", relay, "hub", `${TMP}/f1n.sock`, ...ECHO], wait: `${TMP}/f1n.sock` },
    does: "bytes copied, 2 processes",
  },
  {
    name: "floor-1hop-deno",
    group: "floor",
    kind: "stdio",
    to: "stdio",
    command: [...DENO, "shim", `${TMP}/f1d.sock`],
    aux: { command: [...DENO, "hub", `${TMP}/f1d.sock`, ...ECHO], wait: `${TMP}/f1d.sock` },
    needs: [deno],
    does: "bytes copied, 2 processes",
  },
  {
    name: "floor-1hop-deno-native",
    group: "floor",
    kind: "stdio",
    to: "stdio",
    command: [...NATIVE, "shim", `${TMP}/f1x.sock`],
    aux: { command: [...NATIVE, "hub", `${TMP}/f1x.sock`, ...ECHO], wait: `${TMP}/f1x.sock` },
    needs: [deno],
    does: "bytes copied, 2 processes, Deno's own API",
  },
  {
    name: "floor-socat-deno",
    group: "floor",
    kind: "stdio",
    to: "stdio",
    command: ["socat", "STDIO", `UNIX-CONNECT:${TMP}/fsd.sock`],
    aux: { command: [...DENO, "hub", `${TMP}/fsd.sock`, ...ECHO], wait: `${TMP}/fsd.sock` },
    needs: [deno, "/usr/bin/socat"],
    does: "bytes copied, shim in C",
  },
];
