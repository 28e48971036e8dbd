import type { AppManifest, AppSettings } from "./records.ts";

/** One thing that a manifest asks for (seed `mini-apps.md` §6). */
export interface Need {
  readonly kind: "egress" | "secret" | "folder" | "service" | "notify";
  /** `api.example.com:443`, `LLM_API_KEY`, `photos`, `ocr/v1`; empty for `notify`. */
  readonly name: string;
  readonly mode: "ro" | "rw" | undefined;
}

/** Needs, one each, in the order in which they are shown. */
export function needsOf({ needs }: AppManifest): readonly Need[] {
  const named = (kind: Need["kind"], names: readonly string[]) => {
    return names.map((name): Need => ({ kind, name, mode: undefined }));
  };
  return [
    ...named("egress", needs.egress),
    ...named("secret", needs.secrets),
    ...Object.entries(needs.files).map(([name, mode]): Need => ({ kind: "folder", name, mode })),
    ...named("service", needs.services),
    ...(needs.notify ? named("notify", [""]) : []),
  ];
}

/** Needs in words, one each, as they are shown and compared. */
export function needTexts(manifest: AppManifest): readonly string[] {
  return needsOf(manifest).map(needText);
}

function needText({ kind, name, mode }: Need): string {
  switch (kind) {
    case "egress":
      return `reach ${name}`;
    case "secret":
      return `the secret ${name}`;
    case "folder":
      return `${mode === "rw" ? "read and write" : "read"} the folder ${name}`;
    case "service":
      return `call the service ${name}`;
    case "notify":
      return "put messages into your inbox";
  }
}

/** A need beside those of the installed version. */
export interface ComparedNeed extends Need {
  readonly change: "new" | "kept" | "gone";
}

/** What a version needs, then what it needs no more. */
export function compareNeeds(next: AppManifest, before: AppManifest | undefined): readonly ComparedNeed[] {
  const [asked, had] = [needsOf(next), before ? needsOf(before) : []];
  const has = (needs: readonly Need[], need: Need) => needs.some((one) => needText(one) === needText(need));
  return [
    ...asked.map((need) => ({ ...need, change: has(had, need) ? "kept" : "new" } as const)),
    ...had.filter((need) => !has(asked, need)).map((need) => ({ ...need, change: "gone" } as const)),
  ];
}

/** Secrets, folders and services that nobody has settled yet, in words. */
export function unsettledNeeds({ needs }: AppManifest, settings: AppSettings): readonly string[] {
  const nameOf = (id: string) => id.split("/")[0]!;
  return [
    ...needs.secrets.filter((variable) => !settings.secrets[variable]).map((variable) =>
      `the secret ${variable} is not filled`
    ),
    ...Object.keys(needs.files).filter((name) => !settings.files[name]).map((name) =>
      `no folder is chosen for ${name}`
    ),
    ...needs.services.filter((id) => !settings.services[nameOf(id)]?.length)
      .map((id) => `no provider is chosen for ${id}`),
  ];
}
