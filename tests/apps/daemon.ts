/**
 * A real daemon with mini apps, for tests of the whole.
 * @module
 */
import { layHome, type SystemHome } from "../system/home.ts";
import type { DriverName } from "../../src/sandbox/mod.ts";
import { askPort, type Visit } from "./ask.ts";
import { layApp, type SmallApp } from "./small_app.ts";

/** A home whose daemon runs and serves the apps' origins on a free port. */
export async function startDaemon(driver: DriverName): Promise<SystemHome> {
  const home = await layHome({ driver });
  home.env.HANDLER_PORT = "0";
  try {
    await home.start();
    return home;
  } catch (error) {
    await home[Symbol.asyncDispose]();
    throw error;
  }
}

/** Lays an app's source below a home and registers it with the daemon. */
export async function addApp(home: SystemHome, app: Partial<SmallApp> & { readonly name: string }) {
  const source = await layApp(`${home.path}/apps/${app.name}`, app);
  await home.client.appAdd(source);
  return source;
}

/** Deploys what lies in an app's source, as a person does who says yes. */
export async function deployApp(
  home: SystemHome,
  name: string,
  onStep: Parameters<SystemHome["client"]["appDeploy"]>[2] = () => {},
) {
  const { hash } = await home.client.appPlan(name);
  return await home.client.appDeploy(name, hash, onStep);
}

/** Opens an app through the link that the daemon gives. */
export async function openApp(home: SystemHome, name: string, person = "owner"): Promise<Visit> {
  const url = new URL((await home.client.appLink(name, person)).url);
  const { host, origin } = url, port = Number(url.port);
  const { headers, status } = await askPort(port, {
    method: "POST",
    path: url.pathname,
    headers: { host, origin },
    body: url.hash.slice(1),
  });
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0];
  if (cookie === undefined) throw new Error(`the link of ${name} was not taken: ${status}`);
  return {
    port,
    host,
    origin,
    cookie,
    ask: ({ headers, ...asked }) =>
      askPort(port, { ...asked, headers: { host, origin, cookie, ...headers } }),
  };
}
