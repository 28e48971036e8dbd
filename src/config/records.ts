/** A reference to a secret, never its value (contract F). Exactly one of the four. */
export type SecretReference =
  | { readonly kind: "command"; readonly argv: readonly string[] }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "store"; readonly name: string };

/** `config.toml`, `handler.config/v1`. Every field has a value; the file may leave out any. */
export interface MainConfig {
  /** `auto` takes podman where it works, else bubblewrap, else deno. */
  readonly sandbox: "auto" | "podman" | "bubblewrap" | "deno";
  /** Connectors of others and apps that may run under the `deno` driver all the same (contract A.2). */
  readonly denoDriverFor: readonly string[];
  /** An image to use in place of the pinned one. */
  readonly image: string | undefined;
  readonly egress: {
    /** A PEM file of certificate authorities that sandboxes trust besides the usual ones. */
    readonly caFile: string | undefined;
    /** Where a `host:port` is really dialled: `{ "api.example.com:443" = "127.0.0.1:8443" }`. */
    readonly dial: Readonly<Record<string, string>>;
  };
  readonly connectors: { readonly idleSeconds: number };
  readonly records: { readonly keepDays: number };
  /** What the prices of bindings are in: three letters, such as `EUR`. */
  readonly currency: string;
  /** Where new versions of Handler are fetched from: a folder with `handlerd-<target>` and `SHA256SUMS`. */
  readonly update: { readonly url: string | undefined };
  readonly threads: ThreadsConfig;
}

/** A place that a thread's variables are looked for in: its own, its person's, its project's, and the definitions'. */
export const ENV_PLACES = ["thread", "account", "instance", "agent", "prompt"] as const;

/** How threads run (contract T). */
export interface ThreadsConfig {
  /** The longest turn of a handler or a prompt. */
  readonly turnLimitSeconds: number;
  /** A project's thread host is stopped after so long without work. */
  readonly idleSeconds: number;
  /** After so many turns without a message from outside, the log tells of a ping-pong. */
  readonly pingPongTurns: number;
  /** Turns under way at once in one project, and in all. */
  readonly projectTurns: number;
  readonly allTurns: number;
  /** Where a variable is looked for, the first place first; a place that is left out is not looked in. */
  readonly envOrder: readonly (typeof ENV_PLACES)[number][];
}

/** How a project or an agent chooses: interface name to binding names in order of preference (contract S.18). */
export type Selection = Readonly<Record<string, readonly string[]>>;

/** The harnesses that an agent can name; `external` is a client outside any sandbox of Handler. */
export type HarnessName = "claude-code" | "codex" | "gemini" | "opencode" | "vibe" | "command" | "external";

/** `agents/<name>.toml`, `handler.agent/v1` (contract B.1). */
export interface AgentConfig {
  readonly name: string;
  readonly file: string;
  readonly project: string;
  readonly harness: HarnessName;
  /** The command of harness `command`. */
  readonly command: readonly string[];
  readonly model: string | undefined;
  readonly addons: readonly string[];
  readonly services: Selection;
  /** `host:port` texts. */
  readonly egress: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** An image for the podman driver, where the harness needs more than Deno. */
  readonly image: string | undefined;
}

/** `projects/<name>.toml`, `handler.project/v1` (contract B.1). */
export interface ProjectConfig {
  readonly name: string;
  readonly file: string;
  /** The work folder, the agents' scope; absolute. */
  readonly path: string;
  /** Interfaces such as `ocr/v1` without which its agents do not start. */
  readonly requires: readonly string[];
  readonly services: Selection;
  /** `local` refuses bindings whose connector has egress (contract S.18). */
  readonly privacy: "local" | "any";
  /** Variables of its threads (the place `instance`). */
  readonly env: Readonly<Record<string, string>>;
}

/** `bindings/<name>.toml`, `handler.binding/v1` (contract G.2). */
export interface BindingConfig {
  readonly name: string;
  readonly file: string;
  readonly uses: { readonly kind: "connector" | "addon"; readonly name: string };
  readonly description: string;
  readonly secrets: Readonly<Record<string, SecretReference>>;
  readonly settings: Readonly<Record<string, string>>;
  /** What one of each unit that its connector counts costs, in the currency of `config.toml`. */
  readonly prices: Readonly<Record<string, number>>;
}

/** `persons/<name>.toml`, `handler.person/v1`: somebody who uses apps here, such as the owner or one of the family. */
export interface PersonConfig {
  readonly name: string;
  /** Undefined for an owner of whom no file says anything. */
  readonly file: string | undefined;
  /** The name as it is shown; the file's own where it says none. */
  readonly displayName: string;
  /** Whether what they are told appears on this machine's desktop; only the owner's does unless the file says so. */
  readonly desktop: boolean;
  /** Variables of their threads (the place `account`). */
  readonly env: Readonly<Record<string, string>>;
}

/** The person whose machine this is; there even without a file. */
export const OWNER = "owner";

/** A whole set of configuration, frozen. */
export interface Configuration {
  readonly main: MainConfig;
  readonly agents: ReadonlyMap<string, AgentConfig>;
  readonly projects: ReadonlyMap<string, ProjectConfig>;
  readonly bindings: ReadonlyMap<string, BindingConfig>;
  readonly persons: ReadonlyMap<string, PersonConfig>;
}
