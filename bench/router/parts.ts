/**
 * Which part of an agent's way takes the time: `deno run -A bench/router/parts.ts [ROUNDS]`. Every part is measured with
 * the byte-copying one in the place of each other part, in one run, by the client of `bench/mcp`.
 * @module
 */
import { run, temporaryFolder } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { launch } from "../measure/program.ts";
import { quickDriver, serviceCommand, SOURCE, startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";

const place = (name: string) => new URL(name, import.meta.url).pathname;
const deno = (script: string, ...args: readonly string[]) => [
  ...[Deno.execPath(), "run", "-A", "--no-config", place(script)],
  ...args,
];

async function entries(connector: string, hop: string, router: string): Promise<readonly object[]> {
  const base = { to: "socket", base: "connector", group: "product" };
  const onSocket = (name: string, folder: string) => ({
    ...base,
    name,
    kind: "unix",
    path: `${folder}/echo.sock`,
  });
  const shim = (name: string, folder: string) => ({
    ...base,
    name,
    kind: "stdio",
    command: deno("shim.ts", `${folder}/echo.sock`),
  });
  const service = async (name: string, HANDLER_SERVICES: string) => ({
    ...base,
    name,
    kind: "stdio",
    command: [...await serviceCommand(SOURCE), "echo"],
    env: { HANDLER_SERVICES },
  });
  return [
    { ...onSocket("connector", connector), group: "base" },
    onSocket("hop", hop),
    onSocket("router", router),
    shim("shim", connector),
    shim("shim, hop", hop),
    shim("shim, router", router),
    await service("handler-service", connector),
    await service("handler-service, hop", hop),
    await service("handler-service, router", router),
  ];
}

async function measure(rounds: string): Promise<string> {
  const root = await temporaryFolder();
  const { folders } = await layHome(root, { wrapped: undefined });
  await using daemon = await startHandlerd(folders, { program: SOURCE, driver: await quickDriver() });
  await trustAll(daemon.client, ["echo", "bulk"]);
  await (await daemon.connect("desk", "echo")).call("echo_typed", '{"text":"hello"}');
  const [socket = ""] = await daemon.connectorSockets();
  for (const name of ["connector", "hop"]) await Deno.mkdir(`${root}/${name}`);
  await Deno.symlink(socket, `${root}/connector/echo.sock`);
  const ready = { stream: "stdout", line: /ready/, limitMs: 20_000 } as const;
  await using _hop = await launch(deno("hop.ts", `${root}/hop/echo.sock`, socket), ready, {
    inheritEnv: true,
  });
  const list = await entries(`${root}/connector`, `${root}/hop`, await daemon.services("desk"));
  const added = `${root}/peers.json`, out = `${root}/results.json`, bench = `${ROOT}/bench/mcp`;
  await Deno.writeTextFile(added, JSON.stringify(list));
  const options = [
    "--cells",
    "typed-1,typed-32",
    "--rounds",
    rounds,
    "--added",
    added,
    "--own",
    "--out",
    out,
  ];
  const { code, stderr } = await run(["node", `${bench}/bench.mjs`, ...options], {
    inheritEnv: true,
    env: { PEERS_TMP: root },
  });
  if (code !== 0) throw new Error(stderr);
  return (await run(["node", `${bench}/table.mjs`, out], { inheritEnv: true })).stdout;
}

if (import.meta.main) {
  console.log(await measure(Deno.args[0] ?? "12"));
  Deno.exit(0);
}
