// Gateways in Go and Rust.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { backend, built, ECHO, file, TMP } from "../lib/places.mjs";

/** In Rust. */
export const rustPeers = (port) => [
  {
    name: "agentgateway",
    group: "peer",
    kind: "http",
    to: "stdio",
    command: [
      built("agentgateway"),
      "-f",
      () => file("agw-stdio.yaml", AGW(port, `    stdio: { cmd: node, args: [${JSON.stringify(ECHO[1])}] }`)),
    ],
    does: "policy engine, metrics",
  },
  {
    name: "agentgateway-http",
    group: "peer",
    kind: "http",
    to: "http",
    command: [
      built("agentgateway"),
      "-f",
      () => file("agw-http.yaml", AGW(port, `    mcp: { host: "http://127.0.0.1:${port + 1}/mcp" }`)),
    ],
    aux: { command: ["node", backend("echo-http.mjs"), `${port + 1}`], port: port + 1 },
    does: "policy engine, metrics",
  },
];

/** In Go. */
export const goPeers = (port) => [
  {
    name: "tbxark-mcp-proxy",
    group: "peer",
    kind: "http",
    to: "stdio",
    path: "/echo/",
    command: [built("tbx-mcp-proxy"), "-config", () =>
      file("tbx.json", {
        mcpProxy: {
          baseURL: `http://127.0.0.1:${port}`,
          addr: `127.0.0.1:${port}`,
          name: "p",
          version: "1",
          type: "streamable-http",
          options: { logEnabled: false },
        },
        mcpServers: { echo: { command: ECHO[0], args: ECHO.slice(1), options: {} } },
      })],
    does: "aggregates",
  },
  // Static mode reaches its servers through `socat`; a stand-in of that name starts the backend itself, so no container is in the way.
  {
    name: "docker-mcp-gateway",
    group: "peer",
    kind: "stdio",
    to: "stdio",
    command: [
      () => {
        dockerHome();
        return built("docker-mcp");
      },
      "gateway",
      "run",
      "--static",
      "--catalog",
      "bench.yaml",
      "--servers",
      "echo",
      "--transport",
      "stdio",
    ],
    needs: [built("docker-mcp")],
    env: {
      HOME: join(TMP, "docker-home"),
      PATH: `${join(TMP, "docker-home/shim")}:${process.env.PATH}`,
      DOCKER_MCP_IN_CONTAINER: "1",
    },
    does: "secret scan in and out, call log, telemetry",
  },
  {
    name: "toolhive-proxy",
    group: "peer",
    kind: "http",
    to: "http",
    command: [
      built("thv"),
      "proxy",
      "echo",
      "--target-uri",
      `http://127.0.0.1:${port + 1}`,
      "--port",
      `${port}`,
      "--host",
      "127.0.0.1",
    ],
    env: { DOCKER_HOST: `unix://${TMP}/podman.sock`, TOOLHIVE_PODMAN_SOCKET: `${TMP}/podman.sock` },
    needs: [built("thv"), "/usr/bin/podman"],
    aux: [{
      command: ["podman", "system", "service", "--time=0", `unix://${TMP}/podman.sock`],
      wait: `${TMP}/podman.sock`,
    }, { command: ["node", backend("echo-http.mjs"), `${port + 1}`], port: port + 1 }],
    does: "transparent HTTP proxy, session check",
  },
];

const AGW = (port, target) =>
  `config:\n  adminAddr: 127.0.0.1:${port + 2}\n  statsAddr: 127.0.0.1:${
    port + 3
  }\n  readinessAddr: 127.0.0.1:${port + 4}\nmcp:\n  port: ${port}\n  targets:\n  - name: echo\n${target}\n`;

function dockerHome() {
  const home = join(TMP, "docker-home");
  mkdirSync(join(home, ".docker/mcp/catalogs"), { recursive: true });
  mkdirSync(join(home, "shim"), { recursive: true });
  writeFileSync(
    join(home, ".docker/mcp/catalogs/bench.yaml"),
    "name: bench\ndisplayName: bench\nregistry:\n  echo:\n    type: server\n    title: echo\n    description: echo\n    image: bench/echo:latest\n    longLived: true\n",
  );
  writeFileSync(join(home, "shim/socat"), `#!/bin/sh\nexec node ${ECHO[1]}\n`, { mode: 0o755 });
}
