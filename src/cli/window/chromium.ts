import { ensureFolder } from "../../platform/mod.ts";
import { type Desktop, firstProgram, profileFolder } from "./desktop.ts";
import type { Reach, Window } from "./window.ts";

const PROGRAMS = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "brave-browser",
  "microsoft-edge",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A window of Chromium's app mode with a profile of its own that reaches Handler's addresses alone (contract H.6). */
export async function chromiumWindow(desktop: Desktop, reach: Reach): Promise<Window | undefined> {
  const program = await firstProgram(desktop, PROGRAMS);
  if (program === undefined) return undefined;
  const profile = await profileFolder(desktop, program, "chromium", reach);
  return {
    browser: "chromium",
    closed: true,
    opener: profile,
    prepare: () => ensureFolder(profile),
    argv: (url) => [program, `--app=${url}`, `--user-data-dir=${profile}`, ...flags(reach)],
  };
}

/** As the preferences of Firefox: no host but Handler's, no peers, nothing ahead of a click, nothing of its own. */
function flags({ port, desk }: Reach): readonly string[] {
  return [
    // everything goes to a proxy that is not there, also what is on this machine, but for Handler's own origins
    "--proxy-server=http://127.0.0.1:9",
    `--proxy-bypass-list=<-loopback>;*.localhost:${port}${desk ? `;localhost:${port}` : ""}`,
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1${
      desk ? ", EXCLUDE localhost" : ""
    }`,
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-features=NetworkPrediction,OptimizationHints,MediaRouter,Translate",
    "--no-first-run",
    "--no-default-browser-check",
  ];
}
