import type { Component } from "svelte";
import type { TextKey } from "$texts";
import Home from "../views/home/Home.svelte";

type View = Component<Record<string, string>>;

/** A view and the paths it is found at; `:name` is given to it as a property. */
export interface ViewEntry {
  readonly pattern: string;
  readonly load: () => Promise<{ readonly default: unknown }>;
}

/** A place of the sidebar, the key that goes there after `g`, and the paths below it. */
export interface Place {
  readonly path: string;
  readonly label: TextKey;
  readonly key: string;
}

/** The sidebar, in its order; the second list stands below. */
export const places: readonly (readonly Place[])[] = [
  [
    { path: "/", label: "nav.home", key: "h" },
    { path: "/services", label: "nav.services", key: "s" },
    { path: "/agents", label: "nav.agents", key: "a" },
    { path: "/calls", label: "nav.calls", key: "c" },
    { path: "/apps", label: "nav.apps", key: "p" },
    { path: "/threads", label: "nav.threads", key: "t" },
    { path: "/inbox", label: "nav.inbox", key: "i" },
  ],
  [
    { path: "/persons", label: "nav.persons", key: "e" },
    { path: "/secrets", label: "nav.secrets", key: "k" },
    { path: "/settings", label: "nav.settings", key: "," },
    { path: "/doctor", label: "nav.doctor", key: "d" },
    { path: "/help", label: "nav.help", key: "?" },
  ],
];

/** Every view, the more special path first. Home comes with the frame, the others are fetched when they are gone to. */
export const views: readonly ViewEntry[] = [
  { pattern: "/", load: () => Promise.resolve({ default: Home }) },
  { pattern: "/services", load: () => import("../views/services/Services.svelte") },
  { pattern: "/services/:name/:version", load: () => import("../views/services/Service.svelte") },
  { pattern: "/services/:name/:version/new", load: () => import("../views/services/NewProvider.svelte") },
  { pattern: "/bindings/:name", load: () => import("../views/services/Binding.svelte") },
  { pattern: "/secrets", load: () => import("../views/secrets/Secrets.svelte") },
  { pattern: "/agents", load: () => import("../views/agents/Agents.svelte") },
  { pattern: "/agents/new", load: () => import("../views/agents/NewAgent.svelte") },
  { pattern: "/agents/:name", load: () => import("../views/agents/Agent.svelte") },
  { pattern: "/projects/new", load: () => import("../views/agents/NewProject.svelte") },
  { pattern: "/projects/:name", load: () => import("../views/agents/Project.svelte") },
  { pattern: "/sessions/:id", load: () => import("../views/agents/Session.svelte") },
  { pattern: "/calls", load: () => import("../views/calls/Calls.svelte") },
  { pattern: "/calls/:id", load: () => import("../views/calls/Call.svelte") },
  { pattern: "/apps", load: () => import("../views/apps/Apps.svelte") },
  { pattern: "/apps/:name", load: () => import("../views/apps/App.svelte") },
  { pattern: "/threads", load: () => import("../views/threads/Threads.svelte") },
  { pattern: "/threads/new", load: () => import("../views/threads/NewThread.svelte") },
  { pattern: "/threads/definitions/:project", load: () => import("../views/threads/Definitions.svelte") },
  { pattern: "/threads/:id", load: () => import("../views/threads/Thread.svelte") },
  { pattern: "/inbox", load: () => import("../views/inbox/Inbox.svelte") },
  { pattern: "/persons", load: () => import("../views/persons/Persons.svelte") },
  { pattern: "/help", load: () => import("../views/help/Help.svelte") },
  { pattern: "/help/:page", load: () => import("../views/help/HelpPage.svelte") },
  { pattern: "/settings", load: () => import("../views/settings/Settings.svelte") },
  { pattern: "/doctor", load: () => import("../views/doctor/Doctor.svelte") },
  { pattern: "/welcome", load: () => import("../views/home/WelcomeView.svelte") },
];

/** The view at a path, with what the path says; undefined where there is none. */
export function viewAt(
  path: string,
): { readonly entry: ViewEntry; readonly params: Record<string, string> } | undefined {
  for (const entry of views) {
    const params = match(entry.pattern, path);
    if (params) return { entry, params };
  }
  return undefined;
}

/** The component of a view. */
export async function componentOf(entry: ViewEntry): Promise<View> {
  return (await entry.load()).default as View;
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, found] = [pattern.split("/"), path.replace(/(.)\/$/, "$1").split("/")];
  if (wanted.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const given = found[index]!;
    if (part.startsWith(":")) params[part.slice(1)] = decoded(given);
    else if (part !== given) return undefined;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
