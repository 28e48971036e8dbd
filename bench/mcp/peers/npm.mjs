// Gateways from the npm registry.
import { backend, ECHO, file, npm, servers } from "../lib/places.mjs";

/** Gateways in JavaScript. */
export const npmPeers = (port) => [
  {
    name: "mcp-proxy-npm",
    group: "peer",
    kind: "http",
    to: "stdio",
    command: [
      npm("npm-mcp-proxy", "mcp-proxy"),
      "--port",
      `${port}`,
      "--host",
      "127.0.0.1",
      "--server",
      "stream",
      "--",
      ...ECHO,
    ],
    does: "carries; event store",
  },
  {
    name: "supergateway",
    group: "peer",
    kind: "http",
    to: "stdio",
    command: [
      npm("npm", "supergateway"),
      "--stdio",
      ECHO.join(" "),
      "--outputTransport",
      "streamableHttp",
      "--stateful",
      "--port",
      `${port}`,
      "--logLevel",
      "none",
    ],
    does: "carries",
  },
  {
    name: "supergateway-stdio",
    group: "peer",
    kind: "stdio",
    to: "http",
    command: [
      npm("npm", "supergateway"),
      "--streamableHttp",
      `http://127.0.0.1:${port}/mcp`,
      "--logLevel",
      "none",
    ],
    aux: { command: ["node", backend("echo-http.mjs"), `${port}`], port },
    does: "carries",
  },
  {
    name: "mcp-hub",
    group: "peer",
    kind: "sse",
    to: "stdio",
    command: [
      npm("npm-mcp-hub", "mcp-hub"),
      "--port",
      `${port}`,
      "--config",
      () => file("mcp-hub.json", servers),
    ],
    does: "namespaces, aggregates",
  },
];
