// Every peer: how it is started and spoken to. A peer whose program is not there is skipped and named.
//   name, group ("base", "floor", "peer", "product")
//   kind: what the agent's side speaks ("stdio", "http", "sse", "unix")    to: what the peer speaks to the backend
//   block: peers that are measured next to each other    repeat: how often in a round
//   base: the direct call that it is compared with    does: what it does with a call beyond carrying it
//   command, env, cwd, path, headers    needs: paths that must exist    aux: helpers started before it
import { existsSync, readFileSync } from "node:fs";
import { applicationPeers } from "./peers/applications.mjs";
import { direct, floors } from "./peers/floors.mjs";
import { goPeers, rustPeers } from "./peers/native.mjs";
import { npmPeers } from "./peers/npm.mjs";
import { heavyPythonPeers, pythonPeers } from "./peers/python.mjs";

const LISTS = [direct, floors, npmPeers, pythonPeers, heavyPythonPeers, rustPeers, goPeers, applicationPeers];

/** All peers, ten ports apart from `port` on, and those that a file of JSON adds. */
export function peers(port, added) {
  const known = LISTS.flatMap((list) => list(0).map(({ name }) => ({ list, name })));
  const placed = known.map(({ list, name }, at) => {
    const own = port + at * 10;
    return { port: own, ...list(own).find((peer) => peer.name === name) };
  });
  return [...placed.map(complete), ...(added ? addedPeers(added) : [])];
}

/** Those of a file alone. */
export const addedPeers = (file) => JSON.parse(readFileSync(file, "utf8")).map(complete);

function complete(peer) {
  return {
    ...peer,
    base: peer.base ?? (peer.to === "http" ? "direct-http" : "direct-stdio"),
    needs: peer.needs ?? (peer.command ?? []).slice(0, 2).filter((word) => word.startsWith?.("/")),
  };
}

export const missing = (peer) => peer.needs.filter((path) => !existsSync(path));
