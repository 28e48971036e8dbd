/** The browsers that a window can be of. */
export const BROWSERS = ["firefox", "chromium", "default"] as const;

/** One of {@linkcode BROWSERS}. */
export type BrowserName = (typeof BROWSERS)[number];

/** What a closed window reaches, and nothing else: the apps' addresses, and those of the desk where it shows that. */
export interface Reach {
  readonly port: number;
  readonly desk: boolean;
}

/** A browser of this machine, ready to show the desk or an app. */
export interface Window {
  readonly browser: BrowserName;
  /** Whether its profile reaches nothing but Handler's own addresses. */
  readonly closed: boolean;
  /** A folder that the browser can read and nobody else; undefined where there is no such folder. */
  readonly opener: string | undefined;
  /** Writes its profile. */
  prepare(): Promise<void>;
  argv(url: string): readonly string[];
}
