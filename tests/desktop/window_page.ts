/**
 * A page that tries what a policy of its own could not stop: other ports of this machine, other hosts, peers, leaving.
 * @module
 */

/** What the page found. */
export interface PageReport {
  /** `reached` or why not, by address. */
  readonly fetched: Readonly<Record<string, string>>;
  /** The same of the desk and of another app, at the port that the page came from. */
  readonly own: { readonly desk: string; readonly app: string };
  /** Addresses of this machine that a peer connection told. */
  readonly candidates: readonly string[];
  readonly webSocket: string;
}

/** The page of an app whose page wants out, to a server of its own on `sink`. */
export function curiousPage(sink: number): string {
  return `<!doctype html><meta charset="utf-8"><title>curious</title><script>
const peers = async () => {
  const found = [];
  if (typeof RTCPeerConnection !== "function") return found;
  const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${sink}" }] });
  peer.createDataChannel("x");
  peer.onicecandidate = ({ candidate }) => candidate && found.push(candidate.candidate);
  await peer.setLocalDescription(await peer.createOffer());
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return found;
};
const socket = () => new Promise((resolve) => {
  const open = new WebSocket("ws://" + location.host + "/api/socket");
  open.onopen = () => resolve("open");
  open.onerror = () => resolve("failed");
});
const run = async () => {
  await fetch("/spend", { method: "POST", body: location.hash });
  const ask = (host) => fetch("http://" + host + "/", { mode: "no-cors" }).then(() => "reached", () => "failed");
  const own = { desk: await ask("localhost:" + location.port), app: await ask("coach.localhost:" + location.port) };
  const fetched = {};
  for (const host of ["127.0.0.1:${sink}", "localhost:${sink}", "other.localhost:${sink}", "example.com"]) {
    fetched[host] = await ask(host);
  }
  const report = { fetched, own, candidates: await peers(), webSocket: await socket() };
  await fetch("/report", { method: "POST", body: JSON.stringify(report) });
  location = "http://127.0.0.1:${sink}/left";
};
run();
</script>`;
}
