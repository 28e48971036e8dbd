import type { Launch, Machine, McpClient } from "./client.ts";

/** How long one call may take, as the clients that ask are told. An interface's own limit is shorter. */
const CALL_SECONDS = 600;

/**
 * The clients whose settings are known, from their own documentation: Claude Code (code.claude.com/docs/en/mcp), Codex
 * (`~/.codex/config.toml`, `[mcp_servers.NAME]`), Gemini CLI (`~/.gemini/settings.json`), OpenCode (opencode.ai/docs
 * /mcp-servers), VS Code (`mcp.json` of the user profile, `servers`), Cursor (cursor.com/docs/mcp).
 */
export const CLIENTS: readonly McpClient[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    programs: ["claude"],
    marker: (machine) => claudeFile(machine),
    file: (machine) => Promise.resolve(claudeFile(machine)),
    format: "json",
    root: "mcpServers",
    entry: (launch) => ({ type: "stdio", ...words(launch) }),
  },
  {
    name: "codex",
    title: "Codex",
    programs: ["codex"],
    marker: (machine) => codexFolder(machine),
    file: (machine) => Promise.resolve(`${codexFolder(machine)}/config.toml`),
    format: "toml",
    root: "mcp_servers",
    entry: (launch) => ({ ...words(launch), tool_timeout_sec: CALL_SECONDS }),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    programs: ["gemini"],
    marker: (machine) => geminiFolder(machine),
    file: (machine) => Promise.resolve(`${geminiFolder(machine)}/settings.json`),
    format: "json",
    root: "mcpServers",
    entry: (launch) => ({ ...words(launch), timeout: CALL_SECONDS * 1000 }),
  },
  {
    name: "opencode",
    title: "OpenCode",
    programs: ["opencode"],
    marker: (machine) => `${configFolder(machine)}/opencode`,
    file: openCodeFile,
    format: "json",
    root: "mcp",
    entry: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      environment: env,
      enabled: true,
      timeout: CALL_SECONDS * 1000,
    }),
  },
  {
    name: "vscode",
    title: "VS Code",
    programs: ["code"],
    marker: (machine) => codeFolder(machine),
    file: (machine) => Promise.resolve(`${codeFolder(machine)}/mcp.json`),
    format: "json",
    root: "servers",
    entry: (launch) => ({ type: "stdio", ...words(launch) }),
  },
  {
    name: "cursor",
    title: "Cursor",
    programs: ["cursor", "cursor-agent"],
    marker: ({ home }) => `${home}/.cursor`,
    file: ({ home }) => Promise.resolve(`${home}/.cursor/mcp.json`),
    format: "json",
    root: "mcpServers",
    entry: (launch) => ({ type: "stdio", ...words(launch) }),
  },
];

function words({ command, args, env }: Launch) {
  return { command, args, env };
}

/** The user scope of Claude Code: beside its folder, or in the folder that the variable names. */
function claudeFile({ home, variable }: Machine): string {
  return `${variable("CLAUDE_CONFIG_DIR") ?? home}/.claude.json`;
}

function codexFolder({ home, variable }: Machine): string {
  return variable("CODEX_HOME") ?? `${home}/.codex`;
}

function geminiFolder({ home, variable }: Machine): string {
  return `${variable("GEMINI_CLI_HOME") ?? home}/.gemini`;
}

function configFolder({ home, variable }: Machine): string {
  return variable("XDG_CONFIG_HOME") ?? `${home}/.config`;
}

/** The profile that VS Code uses where a person has made no other. */
function codeFolder(machine: Machine): string {
  if (machine.os === "darwin") return `${machine.home}/Library/Application Support/Code/User`;
  return `${configFolder(machine)}/Code/User`;
}

/** OpenCode reads both spellings; the one that is there is the person's. */
async function openCodeFile(machine: Machine): Promise<string> {
  const named = machine.variable("OPENCODE_CONFIG");
  if (named) return named;
  const folder = `${configFolder(machine)}/opencode`;
  return await machine.exists(`${folder}/opencode.jsonc`)
    ? `${folder}/opencode.jsonc`
    : `${folder}/opencode.json`;
}

/** Whether a client is installed, as far as can be seen. */
export async function isInstalled(client: McpClient, machine: Machine): Promise<boolean> {
  if (await machine.exists(client.marker(machine))) return true;
  const programs = await Promise.all(client.programs.map((name) => machine.hasProgram(name)));
  return programs.includes(true);
}
