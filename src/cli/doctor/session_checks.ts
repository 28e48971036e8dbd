import type { DoctorCheck } from "../../client/mod.ts";
import { installCommand, installerHere } from "../../doctor/mod.ts";
import { env, findProgram, type Folders, homeFolder, system } from "../../platform/mod.ts";
import { CLIENTS, isInstalled } from "../connect/clients.ts";
import { thisMachine } from "../connect/machine.ts";

/** What can be said of the session that the command runs in; a daemon may stand in another. */
export async function sessionChecks(folders: Folders): Promise<readonly DoctorCheck[]> {
  return await Promise.all([browsers(), clients(), commands(folders)]);
}

const BROWSERS = [
  "firefox",
  "firefox-esr",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const MAC_BROWSERS = [
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

async function browsers(): Promise<DoctorCheck> {
  const name = "browser windows";
  const places = system.os === "darwin" ? MAC_BROWSERS : BROWSERS;
  const found = (await Promise.all(places.map((place) => findProgram(place)))).find((path) =>
    path !== undefined
  );
  if (found === undefined) {
    const hint = installCommand("firefox", await installerHere());
    return { name, state: "warning", detail: "neither Firefox nor Chromium is here", hint };
  }
  if (system.os === "darwin" || env("DISPLAY") || env("WAYLAND_DISPLAY")) {
    return { name, state: "ok", detail: `${found} can show the desk and apps`, hint: null };
  }
  const detail = `${found} is here, but this session has no desktop`;
  return { name, state: "warning", detail, hint: "handler open --print gives the link" };
}

async function clients(): Promise<DoctorCheck> {
  const name = "MCP clients";
  const machine = thisMachine();
  const here = await Promise.all(CLIENTS.map((client) => isInstalled(client, machine)));
  const titles = CLIENTS.filter((_, at) => here[at]).map(({ title }) => title);
  if (titles.length === 0) {
    return { name, state: "ok", detail: "none of those that `handler connect` knows is here", hint: null };
  }
  return { name, state: "ok", detail: `found: ${titles.join(", ")}`, hint: "handler connect AGENT" };
}

/** Whether a shell finds `handler`, and the one that is meant. */
async function commands({ data }: Folders): Promise<DoctorCheck> {
  const name = "command";
  const found = await findProgram("handler");
  if (found !== undefined) return { name, state: "ok", detail: `a shell finds ${found}`, hint: null };
  const installed = await findProgram(`${data}/bin/handler`);
  const folder = installed === undefined ? `${homeFolder()}/.local/bin` : `${data}/bin`;
  const detail = "a shell does not find `handler`";
  const hint = installed === undefined ? "handler install" : `add ${folder} to PATH in your shell's profile`;
  return { name, state: "warning", detail, hint };
}
