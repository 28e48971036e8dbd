// Peers that want their backend registered through an API of their own before they carry anything.
import { rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { TMP } from "./places.mjs";

export const setups = {
  contextforge() {
    const db = join(TMP, "contextforge.db");
    for (const end of ["", "-wal", "-shm"]) rmSync(db + end, { force: true });
    const random = () => randomBytes(36).toString("base64");
    const email = "admin@example.com", password = random() + "aA1!";
    const env = {
      DATABASE_URL: `sqlite:///${db}`,
      CACHE_TYPE: "memory",
      LOG_LEVEL: "ERROR",
      TOKEN_EXPIRY: "600",
      JWT_SECRET_KEY: random(),
      AUTH_ENCRYPTION_SECRET: random(),
      BASIC_AUTH_PASSWORD: random(),
      DEFAULT_USER_PASSWORD: random() + "bB2!",
      PLATFORM_ADMIN_EMAIL: email,
      PLATFORM_ADMIN_PASSWORD: password,
      MCPGATEWAY_UI_ENABLED: "false",
      MCPGATEWAY_ADMIN_API_ENABLED: "true",
      PLUGINS_ENABLED: "false",
      SSRF_ALLOW_LOCALHOST: "true",
      SSRF_ALLOW_PRIVATE_NETWORKS: "true",
      TOOL_RATE_LIMIT: "10000000",
      RATE_LIMITING_ENABLED: "false",
    };
    const register = async ({ port }) => {
      const api = async (path, body, headers = {}) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: body ? "POST" : "GET",
          headers: { ...headers, "content-type": "application/json" },
          body: body && JSON.stringify(body),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${text.slice(0, 300)}`);
        return JSON.parse(text);
      };
      const { access_token } = await api("/auth/login", { email, password });
      const headers = { Authorization: `Bearer ${access_token}` };
      await api("/gateways", {
        name: "echo",
        url: `http://127.0.0.1:${port + 1}/mcp`,
        transport: "STREAMABLEHTTP",
      }, headers);
      let tools = [];
      for (let i = 0; i < 40 && !tools.length; i++) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        const got = await api("/tools", undefined, headers);
        tools = Array.isArray(got) ? got : got.tools ?? [];
      }
      const server = await api("/servers", {
        server: { name: "bench", description: "bench", associated_tools: tools.map((tool) => tool.id) },
      }, headers);
      return { path: `/servers/${server.id}/mcp/`, headers };
    };
    return { env, register };
  },
};
