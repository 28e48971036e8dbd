/** The documentation of the repository, as the page carries it. */
const texts = import.meta.glob<string>(["../../../../docs/*.md", "!../../../../docs/README.md"], {
  query: "?raw",
  import: "default",
});
const images = import.meta.glob<string>("../../../../docs/images/*", {
  query: "?url",
  import: "default",
  eager: true,
});

/** The pages in the order in which they are read: for people who use it, who extend it, who change it. */
const ORDER = [
  "getting-started",
  "desk",
  "cli",
  "apps",
  "threads",
  "staying-up",
  "security",
  "connectors",
  "interfaces",
  "architecture",
  "contracts",
];

/** The names of all pages. */
export const pageNames: readonly string[] = Object.keys(texts).map(nameOf).toSorted((a, b) =>
  place(a) - place(b)
);

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".md".length);
}

function place(name: string): number {
  const at = ORDER.indexOf(name);
  return at === -1 ? ORDER.length : at;
}

/** A page's text; undefined where there is no such page. */
export async function pageText(name: string): Promise<string | undefined> {
  return await texts[`../../../../docs/${name}.md`]?.();
}

/** What a page is called: its first heading. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}

/** Links between pages of the repository as links between pages here. */
export function linkFrom(href: string): string {
  const page = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href);
  return page && pageNames.includes(page[1]!) ? `/help/${page[1]}${page[2] ?? ""}` : href;
}

/** Where an image of a page lies. */
export function imageFrom(href: string): string | undefined {
  return images[`../../../../docs/${href.replace(/^\.\//, "")}`];
}
