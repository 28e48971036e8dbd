/** A map that can only be read: whoever tries to change it gets a TypeError. */
export function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = new Map(entries);
  const refuse = () => {
    throw new TypeError("a configuration cannot be changed in place");
  };
  for (const change of ["set", "delete", "clear"] as const) {
    Object.defineProperty(map, change, { value: refuse });
  }
  return Object.freeze(map);
}
