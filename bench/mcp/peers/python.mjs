// Gateways from the Python registry.
import { backend, ECHO, file, py, servers } from "../lib/places.mjs";

/** Gateways in Python that install in a minute. */
export const pythonPeers = (port) => [
  {
    name: "mcp-proxy-py",
    group: "peer",
    kind: "http",
    to: "stdio",
    command: [py("mcp-proxy"), "--port", `${port}`, "--log-level", "WARNING", "--", ...ECHO],
    does: "carries; typed re-encode",
  },
  {
    name: "mcp-proxy-py-stdio",
    group: "peer",
    kind: "stdio",
    to: "http",
    command: [
      py("mcp-proxy"),
      "--transport",
      "streamablehttp",
      "--log-level",
      "WARNING",
      `http://127.0.0.1:${port}/mcp`,
    ],
    aux: { command: ["node", backend("echo-http.mjs"), `${port}`], port },
    does: "carries; typed re-encode",
  },
  {
    name: "fastmcp-stdio",
    group: "peer",
    kind: "stdio",
    to: "stdio",
    command: [
      py("fastmcp"),
      "run",
      () => file("fastmcp.json", servers),
      "--no-banner",
      "--log-level",
      "ERROR",
    ],
    env: { FASTMCP_CHECK_FOR_UPDATES: "off" },
    does: "proxy provider, middleware",
  },
  {
    name: "lasso-stdio",
    group: "peer",
    kind: "stdio",
    to: "stdio",
    command: [py("mcp-gateway"), "--mcp-json-path", () =>
      file("lasso.json", {
        mcpServers: { "mcp-gateway": { command: "none", args: [], servers: servers.mcpServers } },
      })],
    does: "plugins (none on)",
  },
];

/** Gateways in Python with a platform around them. */
export const heavyPythonPeers = (port) => [
  {
    name: "litellm",
    group: "peer",
    kind: "http",
    to: "http",
    path: "/mcp/",
    slow: true,
    command: [
      py("litellm"),
      "--config",
      () => file("litellm.yaml", LITELLM(port + 1)),
      "--port",
      `${port}`,
      "--host",
      "127.0.0.1",
      "--telemetry",
      "False",
    ],
    headers: { "x-litellm-api-key": "Bearer sk-bench", Authorization: "Bearer sk-bench" },
    env: { LITELLM_LOCAL_MODEL_COST_MAP: "True", LITELLM_LOG: "ERROR" },
    aux: { command: ["node", backend("echo-http.mjs"), `${port + 1}`], port: port + 1 },
    does: "auth, cost and spend hooks",
  },
  {
    name: "contextforge",
    group: "peer",
    kind: "http",
    to: "http",
    slow: true,
    does: "auth, registry in SQLite, plugins, metrics",
    contextforge: true,
    command: [
      py("mcp-contextforge-gateway", "mcpgateway"),
      "mcpgateway.main:app",
      "--host",
      "127.0.0.1",
      "--port",
      `${port}`,
    ],
    aux: { command: ["node", backend("echo-http.mjs"), `${port + 1}`], port: port + 1 },
  },
];

const LITELLM = (port) =>
  `model_list: []\ngeneral_settings:\n  master_key: sk-bench\nmcp_servers:\n  echo:\n    transport: http\n    url: http://127.0.0.1:${port}/mcp\n    allow_all_keys: true\n`;
