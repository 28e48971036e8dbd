/** A server as it stands in a client's settings. */
export interface ServerEntry {
  readonly [key: string]: string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
}

/** How a client starts a server of MCP over stdio. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a client's files are looked up in. */
export interface Machine {
  readonly os: string;
  readonly home: string;
  variable(name: string): string | undefined;
  /** Whether there is a file or a folder. */
  exists(path: string): Promise<boolean>;
  /** Whether a program is on the search path. */
  hasProgram(name: string): Promise<boolean>;
}

/** A program that speaks MCP and has a file where its servers are named. */
export interface McpClient {
  /** As the command line names it. */
  readonly name: string;
  /** As a person knows it. */
  readonly title: string;
  /** Programs whose presence means that the client is installed. */
  readonly programs: readonly string[];
  /** The folder or file whose presence means the same. */
  marker(machine: Machine): string;
  /** The file of the person's own settings. */
  file(machine: Machine): Promise<string>;
  readonly format: "json" | "toml";
  /** The key whose members are the servers. */
  readonly root: string;
  /** A server as this client writes it. */
  entry(launch: Launch): ServerEntry;
}
