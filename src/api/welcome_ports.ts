import type { AppView } from "./app_ports.ts";
import type { ThreadRow } from "./thread_ports.ts";

/** How far a person is who has just started, and where what is made for them lies. */
export interface WelcomeView {
  /** The folder that first things are put into: `Handler` in the person's home. */
  readonly folder: string;
  /** A binding that reads documents; null where there is none yet. */
  readonly reader: string | null;
  readonly apps: number;
  readonly threads: number;
}

/** First steps, each from nothing in one call; what is there already is taken as it is. */
export interface WelcomeOperations {
  welcome(): Promise<WelcomeView>;
  /** Makes sure that something on this machine reads documents. */
  welcomeReader(): Promise<{ readonly binding: string }>;
  /** An app of the person's own from the template, ready to be deployed. */
  welcomeApp(): Promise<AppView>;
  /** A thread of a small agent that needs no model, in a project of its own. */
  welcomeThread(): Promise<ThreadRow>;
}
