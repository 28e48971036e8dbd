// Where programs, backends and this run's own files are.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

export const HOME = process.env.PEERS_HOME ?? join(process.env.HOME, ".cache/handler-bench-peers");
export const TMP = process.env.PEERS_TMP ?? "/tmp/handler-bench-peers";
mkdirSync(TMP, { recursive: true });

export const npm = (folder, name) => join(HOME, folder, "node_modules/.bin", name);
export const py = (name, program = name) => join(HOME, `py-${name}`, "bin", program);
/** A program that no registry hands out: built by hand, named by PEER_BIN_<NAME> or laid in $PEERS_HOME/bin. */
export const built = (name) =>
  process.env[`PEER_BIN_${name.toUpperCase().replaceAll("-", "_")}`] ?? join(HOME, "bin", name);
/** A file of this run; returns its path. */
export const file = (name, value) => {
  const path = join(TMP, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value, null, 1));
  return path;
};

// The backends resolve the SDKs from $PEERS_HOME/npm, where install.sh copies them.
export const backend = (name) => join(HOME, "npm", "backends", name);
export const ECHO = ["node", backend("echo-sdk1.mjs")];
export const ECHO2 = ["node", backend("echo-sdk2.mjs")];
export const servers = { mcpServers: { echo: { command: ECHO[0], args: ECHO.slice(1) } } };

/** What stands behind a peer and is no part of it; a connector of Handler's, too. */
export const isBackend = (cmdline) =>
  /^[^\0]*node\0[^\0]*\/echo-(sdk1|sdk2|http)\.mjs\0/.test(cmdline) ||
  /^podman\0system\0service/.test(cmdline) ||
  /\0\/opt\/handler\/connector\//.test(cmdline);
