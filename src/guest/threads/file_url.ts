/** The URL of an absolute path. Deno's own module for it would take longer to load than all of the host. */
export function fileUrl(path: string): string {
  return "file://" + encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23");
}
