import { ensureFolder, type Folders, writeAtomic } from "../../src/platform/mod.ts";
import { CONNECTOR, interfaceFiles } from "./interfaces.ts";

/** What is bound in a home beside the echo. */
export interface HomeOptions {
  /** One JavaScript file: a stdio MCP server with the tool `echo_typed`, to be wrapped; undefined leaves it out. */
  readonly wrapped: string | undefined;
}

/** The home of a bench. */
export interface BenchHome {
  readonly folders: Folders;
  /** The scope of its agents: files that they hand in lie here. */
  readonly work: string;
}

/** Names that the bench's home binds: agent to interface and binding. */
export const AGENTS = {
  desk: { echo: "echo", bulk: "bulk" },
  scans: { ocr: "ocr" },
  wrapped: { echo: "wrapped" },
} as const;

/**
 * Lays a home with the bench's own interfaces and connectors in the person's folders, the shipped OCR, and external
 * agents, so that the bench connects as an agent's `handler-service` does.
 */
export async function layHome(root: string, { wrapped }: HomeOptions): Promise<BenchHome> {
  const folders = {
    config: `${root}/config`,
    data: `${root}/data`,
    state: `${root}/state`,
    runtime: `${root}/run`,
  };
  const work = `${root}/work`;
  await ensureFolder(work);
  const files = {
    ...interfaceFiles(`${folders.data}/interfaces`),
    ...connectorFiles(`${folders.data}/connectors`),
    ...(wrapped === undefined ? {} : wrappedFiles(`${folders.data}/connectors/wrapped`, wrapped)),
    ...configFiles(folders.config, work, wrapped !== undefined),
  };
  for (const [path, text] of Object.entries(files)) {
    await ensureFolder(path.replace(/\/[^/]+$/, ""));
    await writeAtomic(path, text);
  }
  return { folders, work };
}

function connectorFiles(folder: string): Readonly<Record<string, string>> {
  const manifest = (name: string) =>
    `apiVersion = "handler.connector/v1"\nname = "${name}"\ndescription = "Echoes"\nimplements = ["${name}/v1"]\negress = []\n`;
  const imports = '{ "imports": { "@handler/connector": "/opt/handler/guest/kit.js" } }\n';
  return Object.fromEntries(
    ["echo", "bulk"].flatMap((name) => [
      [`${folder}/${name}/connector.toml`, manifest(name)],
      [`${folder}/${name}/main.ts`, CONNECTOR],
      [`${folder}/${name}/deno.json`, imports],
    ]),
  );
}

function wrappedFiles(folder: string, server: string): Readonly<Record<string, string>> {
  return {
    [`${folder}/connector.toml`]: `apiVersion = "handler.connector/v1"
name = "wrapped"
description = "The stdio server that the gateways are measured with"
implements = ["echo/v1"]
egress = []
runtime = { command = ["node", "/opt/handler/connector/server.mjs"] }

[tools.echo_typed]
tool = "echo_typed"
arguments = { text = "text" }
`,
    [`${folder}/server.mjs`]: server,
  };
}

function configFiles(folder: string, work: string, wrapped: boolean): Readonly<Record<string, string>> {
  const bindings = {
    echo: "echo",
    bulk: "bulk",
    ocr: "ocr-tesseract",
    ...(wrapped ? { wrapped: "wrapped" } : {}),
  };
  const agents = Object.entries(AGENTS).filter(([name]) => wrapped || name !== "wrapped");
  return {
    [`${folder}/config.toml`]:
      `apiVersion = "handler.config/v1"\ndenoDriverFor = ["echo", "bulk", "wrapped"]\n`,
    [`${folder}/projects/bench.toml`]: `apiVersion = "handler.project/v1"\npath = "${work}"\n`,
    ...Object.fromEntries(
      Object.entries(bindings).map(([name, connector]) => [
        `${folder}/bindings/${name}.toml`,
        `apiVersion = "handler.binding/v1"\nconnector = "${connector}"\ndescription = "${name}"\n`,
      ]),
    ),
    ...Object.fromEntries(agents.map(([name, services]) => [
      `${folder}/agents/${name}.toml`,
      `apiVersion = "handler.agent/v1"\nproject = "bench"\nharness = "external"\nservices = { ${
        Object.entries(services).map(([service, binding]) => `${service} = "${binding}"`).join(", ")
      } }\n`,
    ])),
  };
}
