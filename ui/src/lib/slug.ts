/** The name of a heading in a URL, as the common Markdown viewers make it. */
export function slug(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s-]/gu, "").trim().replaceAll(/\s+/g, "-");
}
