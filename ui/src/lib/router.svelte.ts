/** Where the page is: the path and query of its URL, which every view can be reloaded at and sent to somebody. */
class Router {
  #url = $state.raw(new URL(location.href));

  /** `/apps/notes`. */
  get path(): string {
    return this.#url.pathname;
  }

  /** What stands behind `?`. */
  get query(): URLSearchParams {
    return this.#url.searchParams;
  }

  /** What stands from `#` on. */
  get hash(): string {
    return this.#url.hash;
  }

  /** Follows links and the browser's own back and forward, until the page ends. */
  start(): void {
    addEventListener("popstate", () => this.#url = new URL(location.href));
    addEventListener("click", (event) => this.#follow(event));
  }

  /** Goes to a path of this page; `replace` leaves no step back. */
  go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
    const url = new URL(to, location.href);
    const moved = url.pathname !== this.#url.pathname;
    if (url.href === this.#url.href) return;
    if (replace) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
    this.#url = url;
    if (moved) scrollTo(0, 0);
  }

  /** Changes what stands behind `?`, without a step back: a filter, a tab. An empty value takes its name out. */
  put(values: Readonly<Record<string, string | null | undefined>>): void {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(values)) {
      if (value === null || value === undefined || value === "") url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    this.go(url.pathname + url.search, { replace: true });
  }

  #follow(event: MouseEvent): void {
    if (
      event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey ||
      event.altKey
    ) {
      return;
    }
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/v1/")) return;
    if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

/** The one router of the page. */
export const router = new Router();
