import { basename } from "node:path";
import type { AppView, Operations, WelcomeOperations } from "../../api/mod.ts";
import { HandlerError } from "../../base/mod.ts";
import { ensureFolder, statIfThere } from "../../platform/mod.ts";
import { STARTER_AGENT, writeStarter } from "../../threads/mod.ts";

/** What first steps need: everything else that can be done, and where to put things. */
export interface WelcomeParts {
  readonly operations: Omit<Operations, keyof WelcomeOperations>;
  /** The folder for what is made; it need not be there. */
  readonly folder: string;
}

const READING = "ocr/v1";
const LOCAL_READER = "ocr-tesseract";
const PROJECT = "first-steps";
const APP = "notes";

/** First steps of somebody new, done with the operations that everybody has. */
export function welcomeOperations({ operations, folder }: WelcomeParts): WelcomeOperations {
  const freeName = async (apps: readonly AppView[]) => {
    for (let n = 1; n < 100; n++) {
      const name = n === 1 ? APP : `${APP}-${n}`;
      if (!apps.some((app) => app.name === name) && !await statIfThere(`${folder}/${name}`)) return name;
    }
    throw new HandlerError("conflict", `a hundred apps like ${APP} are there already`);
  };
  const reader = async () => {
    const bindings = await operations.bindings();
    const able = bindings.filter((one) => one.implements.includes(READING) && one.problems.length === 0);
    return (able.find((one) => one.connector === LOCAL_READER) ?? able[0])?.name ?? null;
  };
  return {
    async welcome() {
      const [found, apps, threads] = await Promise.all([
        reader(),
        operations.apps(),
        operations.threads({ limit: 100, offset: 0 }),
      ]);
      return { folder, reader: found, apps: apps.length, threads: threads.length };
    },
    async welcomeReader() {
      const found = await reader();
      if (found !== null) return { binding: found };
      const made = await operations.bindingAdd({
        name: "ocr-here",
        connector: LOCAL_READER,
        description: "On this machine",
        settings: {},
        secrets: {},
      });
      return { binding: made.name };
    },
    async welcomeApp() {
      const source = `${folder}/${await freeName(await operations.apps())}`;
      await operations.appNew(basename(source), source);
      return await operations.appAdd(source);
    },
    async welcomeThread() {
      const projects = await operations.projects();
      const path = projects.find(({ name }) => name === PROJECT)?.path ?? `${folder}/${PROJECT}`;
      await ensureFolder(path, 0o755);
      await writeStarter(path);
      if (!projects.some(({ name }) => name === PROJECT)) {
        await operations.projectAdd({ name: PROJECT, path, requires: [], privacy: "any" });
      }
      return await operations.threadNew({
        ...{ project: PROJECT, agent: STARTER_AGENT, person: null, arguments: {}, env: {} },
        title: "Shopping list",
      });
    },
  };
}
