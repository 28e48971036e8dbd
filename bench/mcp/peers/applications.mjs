// Gateways that are web applications, built by hand.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { built, file, servers, TMP } from "../lib/places.mjs";

/** Web applications with a gateway in them. */
export const applicationPeers = (port) => [
  {
    name: "mcphub",
    group: "peer",
    kind: "http",
    to: "stdio",
    command: [() => {
      hubHome();
      return "node";
    }, built("mcphub/dist/index.js")],
    cwd: join(TMP, "mcphub"),
    env: { PORT: `${port}` },
    needs: [built("mcphub/dist/index.js")],
    does: "aggregates",
  },
  // Wants a PostgreSQL of its own with its server row in it: PEER_METAMCP_DATABASE_URL, made ready by hand. Listens on 12009 only.
  {
    name: "metamcp",
    group: "peer",
    kind: "http",
    to: "stdio",
    port: 12009,
    path: "/metamcp/public/mcp",
    command: ["node", built("metamcp/dist/index.js")],
    needs: [
      process.env.PEER_METAMCP_DATABASE_URL ? built("metamcp/dist/index.js") : "PEER_METAMCP_DATABASE_URL",
    ],
    env: {
      NODE_ENV: "production",
      LOG_LEVEL: "errors-only",
      DATABASE_URL: process.env.PEER_METAMCP_DATABASE_URL,
      APP_URL: "http://localhost:12008",
      BETTER_AUTH_SECRET: "bench-bench-bench-bench-bench-bench",
      BOOTSTRAP_ENABLE: "false",
      TRANSFORM_LOCALHOST_TO_DOCKER_INTERNAL: "false",
    },
    does: "namespaces, middleware, PostgreSQL",
  },
];

function hubHome() {
  mkdirSync(join(TMP, "mcphub/frontend/dist"), { recursive: true });
  file("mcphub/mcp_settings.json", {
    ...servers,
    users: [],
    systemConfig: {
      routing: { enableGlobalRoute: true, enableGroupNameRoute: true, enableBearerAuth: false },
    },
  });
}
