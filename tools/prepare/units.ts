import { join } from "node:path";
import { HandlerError, isObject } from "../../src/base/mod.ts";
import { listFolder, readText, readTextIfThere, statIfThere, walkFiles } from "../../src/platform/mod.ts";

/** Something that is built as one. */
export type Unit = ProgramsUnit | AppUnit | DeskUnit;

/** Handler's guest programs, or one connector. */
export interface ProgramsUnit {
  readonly kind: "programs";
  /** Its folder below `build/`. */
  readonly name: string;
  /** The folder that its sources' paths are relative to. */
  readonly folder: string;
  /** The `deno.json` that settles its imports; its lock file, where there is one, lies beside it. */
  readonly config: string;
  /** Whether that file names packages to fetch. */
  readonly hasPackages: boolean;
  /** Output to entry module, such as `boot.js` to `boot/main.ts`. */
  readonly programs: Readonly<Record<string, string>>;
  /** Output to the sources that are put together in it as they are; they import nothing but each other. */
  readonly sources: Readonly<Record<string, readonly SourcePart[]>>;
  /** Output to a file of a package, such as `assets/pdfium.wasm` to `@hyzyla/pdfium/pdfium.wasm`. */
  readonly assets: Readonly<Record<string, string>>;
  /** Every file that the outputs depend on, absolute. */
  readonly inputs: readonly string[];
}

/** A source that is put into a file with others: what it exports is exported there, or stays inside. */
export interface SourcePart {
  /** From the unit's folder. */
  readonly path: string;
  readonly isPublic: boolean;
}

/** A mini app: its page is built and the app kit put beside its backend, both where its source lies. */
export interface AppUnit {
  readonly kind: "app";
  /** Its folder from the root. */
  readonly name: string;
  readonly folder: string;
  /** Every file that the outputs depend on, absolute. */
  readonly inputs: readonly string[];
}

/** The desk's page: it is built where its source lies, into `ui/dist/`. */
export interface DeskUnit {
  readonly kind: "desk";
  readonly name: string;
  readonly folder: string;
  /** Every file that the outputs depend on, absolute. */
  readonly inputs: readonly string[];
}

/** The app that `handler app new` copies. */
export const TEMPLATE = "addons/miniapp/template";

/** What Handler itself runs inside sandboxes, the one list: output to entry below `src/guest/`. */
const GUEST_PROGRAMS: Readonly<Record<string, string>> = {
  "boot.js": "boot/main.ts",
  "kit.js": "kit/mod.ts",
  "app_data.js": "app_data/main.ts",
  "app_kit.js": "app_kit/mod.ts",
  "service.js": "commands/service_main.ts",
  "call.js": "commands/call_main.ts",
  "handler.js": "../../inside.ts",
  "llm.js": "commands/llm_main.ts",
  "mcp_wrap.js": "mcp_wrap/main.ts",
  "thread_host.js": "threads/main.ts",
  "spec.js": "spec/mod.ts",
  "zod.js": "zod/mod.ts",
};

/** What a project gets beside its definitions, to be checked against. */
const GUEST_SOURCES: Readonly<Record<string, readonly SourcePart[]>> = {
  "spec.ts": [
    ...[
      "names",
      "messages",
      "files",
      "state",
      "tool",
      "hook",
      "handler",
      "effect",
      "model",
      "prompt",
      "agent",
    ]
      .map((name) => ({ path: `spec/${name}.ts`, isPublic: true })),
    { path: "spec/brand.ts", isPublic: false },
    { path: "spec/define.ts", isPublic: true },
    { path: "spec/issue.ts", isPublic: true },
    { path: "../base/nearest.ts", isPublic: false },
    { path: "spec/shape.ts", isPublic: false },
    { path: "spec/validate.ts", isPublic: true },
  ],
};

/** Everything that a checkout builds. */
export async function unitsOf(root: string): Promise<readonly Unit[]> {
  const shared = await sources(root, ["src/base", "src/wire", "src/guest", "tools/prepare"]);
  const connectors = await Promise.all(
    (await connectorNames(root)).map((name) => connectorUnit(root, name, shared)),
  );
  const apps = await Promise.all((await appNames(root)).map((name) => appUnit(root, name, shared)));
  const inside = await sources(root, ["src/apps", "src/config", "src/platform", "src/sandbox", "src/schema"]);
  const guest = guestUnit(root, [...shared, ...inside, join(root, "inside.ts")]);
  return [guest, ...connectors, ...apps, ...await deskUnits(root)];
}

/** The desk shows the manual, and speaks to the daemon through the client. */
const DESK_SOURCES = ["ui", "docs", "src/client", "src/base", "tools/prepare"];

async function deskUnits(root: string): Promise<readonly DeskUnit[]> {
  const folder = join(root, "ui");
  if (!await statIfThere(join(folder, "deno.json"))) return [];
  const inputs = await sources(root, DESK_SOURCES, /^(dist|types)\//);
  return [{ kind: "desk", name: "ui", folder, inputs }];
}

function guestUnit(root: string, shared: readonly string[]): Unit {
  return {
    kind: "programs",
    name: "guest",
    folder: join(root, "src/guest"),
    config: join(root, "tools/prepare/guest.deno.json"),
    hasPackages: true,
    programs: GUEST_PROGRAMS,
    sources: GUEST_SOURCES,
    assets: {},
    inputs: shared,
  };
}

/** For programs that import nothing but Handler's own files. */
function plainConfig(root: string): string {
  return join(root, "tools/prepare/bundle.deno.json");
}

async function connectorNames(root: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { name, kind } of await listFolder(join(root, "connectors"))) {
    const isBuilt = kind === "folder" && await statIfThere(join(root, "connectors", name, "main.ts"));
    if (isBuilt) names.push(name);
  }
  return names;
}

async function connectorUnit(root: string, name: string, shared: readonly string[]): Promise<Unit> {
  const folder = join(root, "connectors", name);
  const own = await statIfThere(join(folder, "deno.json"));
  const { programs, assets } = bundleOf(await readTextIfThere(join(folder, "bundle.json")), folder);
  return {
    kind: "programs",
    name: `connectors/${name}`,
    folder,
    config: own ? join(folder, "deno.json") : plainConfig(root),
    hasPackages: own !== undefined && /"npm:/.test(await readText(join(folder, "deno.json"))),
    programs: Object.fromEntries(programs.map((entry) => [entry.replace(/\.ts$/, ".js"), entry])),
    sources: {},
    assets: Object.fromEntries(Object.entries(assets).map(([file, from]) => [`assets/${file}`, from])),
    inputs: [...shared, ...await sources(root, [`connectors/${name}`])],
  };
}

/** The folders with an `app.toml`: the template and the demo apps. */
async function appNames(root: string): Promise<readonly string[]> {
  const places = [TEMPLATE, ...(await listFolder(join(root, "apps"))).map(({ name }) => `apps/${name}`)];
  const found = await Promise.all(places.map((place) => statIfThere(join(root, place, "app.toml"))));
  return places.filter((_, index) => found[index]);
}

async function appUnit(root: string, name: string, shared: readonly string[]): Promise<Unit> {
  const inputs = [...shared, ...await sources(root, [name], /^(server\/vendor|ui\/dist|\.dev)\//)];
  return { kind: "app", name, folder: join(root, name), inputs };
}

/** `bundle.json`: the modules that are programs of their own, and files of packages that are read at run time. */
interface Bundle {
  readonly programs: readonly string[];
  readonly assets: Readonly<Record<string, string>>;
}

function bundleOf(text: string | undefined, folder: string): Bundle {
  if (text === undefined) return { programs: ["main.ts"], assets: {} };
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !isTexts(value["programs"]) || !isObject(value["assets"])) {
    throw new HandlerError("invalid", "it must have the list programs and the table assets", {
      where: { file: join(folder, "bundle.json") },
    });
  }
  return { programs: value["programs"], assets: value["assets"] as Record<string, string> };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

/** The files that count, without tests, installed packages and what a build made. */
async function sources(
  root: string,
  folders: readonly string[],
  made = /^$/,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const { path, kind } of await walkFiles(join(root, folder))) {
      if (kind === "file" && !made.test(path) && !/_test\.ts$|(^|\/)node_modules\//.test(path)) {
        found.push(join(root, folder, path));
      }
    }
  }
  return found;
}
