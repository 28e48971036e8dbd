import assert from "node:assert/strict";
import { changeBetween, isNoChange } from "./change.ts";
import { defaultMain } from "./load.ts";
import type { BindingConfig, Configuration } from "./records.ts";

function set(...bindings: readonly [string, Partial<BindingConfig>][]): Configuration {
  const main = defaultMain(() => "/home/ann");
  const full = bindings.map(([name, part]) => [name, { name, ...part } as BindingConfig] as const);
  return { main, agents: new Map(), projects: new Map(), bindings: new Map(full), persons: new Map() };
}

Deno.test("sets that say the same do not differ, whatever the order of keys", () => {
  const one = set(["a", { settings: { x: "1", y: "2" } }]);
  const two = set(["a", { settings: { y: "2", x: "1" } }]);
  assert.ok(isNoChange(changeBetween(one, two)));
});

Deno.test("names are told apart as added, changed and removed", () => {
  const change = changeBetween(
    set(["a", { description: "x" }], ["b", {}], ["c", {}]),
    set(["d", {}], ["a", { description: "y" }], ["c", {}]),
  );
  assert.deepEqual(change.bindings, { added: ["d"], changed: ["a"], removed: ["b"] });
  assert.equal(change.main, false);
  assert.equal(isNoChange(change), false);
});
