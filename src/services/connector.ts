/** A secret a connector takes, filled by a binding. */
export interface SecretSlot {
  readonly env: string;
  readonly required: boolean;
  readonly description: string;
}

/** A plain value a connector takes, filled by a binding. */
export interface Setting {
  readonly env: string;
  readonly required: boolean;
  readonly description: string;
  /** `url`: the binding's value must be an http(s) URL, and its host and port become egress of the sandbox. */
  readonly type: "text" | "url";
  readonly default: string | undefined;
}

/** What runs a connector. */
export type ConnectorRuntime =
  | { readonly kind: "deno"; readonly entry: string }
  | { readonly kind: "image"; readonly image: string; readonly argv: readonly string[] }
  | { readonly kind: "mcp-stdio"; readonly command: readonly string[] }
  | {
    readonly kind: "mcp-http"; /** The name of the `url` setting that says where. */
    readonly urlSetting: string;
  };

/** How a wrapped MCP server's tool becomes the interface's (seed §5). */
export interface ToolMapping {
  /** The wrapped server's tool. */
  readonly tool: string;
  /** Interface argument name to the wrapped tool's, `path` in the example `{ path = "file_base64" }`. */
  readonly arguments: Readonly<Record<string, string>>;
  /** How a `handler-file` is handed over. */
  readonly files: "base64" | "data-url" | "text";
  /** JSON-pointer-like template of the result; see docs/connectors.md. */
  readonly result: unknown;
}

/** `connector.toml`, `handler.connector/v1` (seed §6). */
export interface Connector {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  /** `ocr/v1`, … */
  readonly implements: readonly string[];
  /** `host:port` texts, without those that `url` settings add. */
  readonly egress: readonly string[];
  readonly secretSlots: Readonly<Record<string, SecretSlot>>;
  readonly settings: Readonly<Record<string, Setting>>;
  readonly runtime: ConnectorRuntime;
  /** For `mcp-stdio` and `mcp-http`: interface tool to mapping. */
  readonly tools: Readonly<Record<string, ToolMapping>>;
  readonly resources: {
    readonly memoryBytes: number;
    readonly pids: number;
    readonly cpus: number | undefined;
  };
  /** SHA-256 over its sorted files, installed packages left out (their hashes are in the lock file). */
  readonly hash: string;
  readonly origin: "shipped" | "user";
}
