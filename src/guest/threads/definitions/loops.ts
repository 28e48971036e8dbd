/** The loops of a graph, each once, from its first node in alphabetical order: `["a", "b"]` for a → b → a. */
export function loops(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly (readonly [string, ...string[]])[] {
  const found = new Map<string, readonly [string, ...string[]]>();
  const done = new Set<string>();
  const walk = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      const loop = fromFirst(trail.slice(at));
      found.set(loop.join("\n"), loop);
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of [...graph.keys()].sort()) walk(node, []);
  return [...found.values()];
}

function fromFirst(loop: readonly string[]): readonly [string, ...string[]] {
  const first = loop.indexOf([...loop].sort()[0] ?? "");
  return [...loop.slice(first), ...loop.slice(0, first)] as [string, ...string[]];
}

/** `a → b → a` */
export function spelled(loop: readonly string[]): string {
  return [...loop, loop[0]].join(" → ");
}
