import type { AppView } from "$client";
import type { TextKey } from "$texts";

/** How an app stands, in words, and whether that is well. */
export function stateOf({ state }: Pick<AppView, "state">): {
  readonly text: TextKey;
  /** What that means for who uses it. */
  readonly more: TextKey;
  readonly tone: "plain" | "good" | "warn" | "bad" | "accent";
} {
  switch (state) {
    case "running":
      return { text: "apps.state.running", more: "apps.state.runningText", tone: "good" };
    case "starting":
      return { text: "apps.state.starting", more: "apps.state.startingText", tone: "accent" };
    case "stopped":
      return { text: "apps.state.asleep", more: "apps.state.asleepText", tone: "plain" };
    case "failing":
      return { text: "apps.state.failing", more: "apps.state.failingText", tone: "bad" };
    case "not deployed":
      return { text: "apps.state.new", more: "apps.state.newText", tone: "warn" };
  }
}

/** Where an app is on this page, with a tab of it. */
export function appPath(name: string, tab?: string): string {
  return `/apps/${encodeURIComponent(name)}${tab ? `?tab=${tab}` : ""}`;
}
