import assert from "node:assert/strict";
import type { RawHeader } from "../../platform/mod.ts";
import { frontRequest } from "../../../tests/fakes/front.ts";
import { DESK_DATA_HEADERS, DESK_HEADERS, refusedAtDesk } from "./desk_policy.ts";

const OWN = "http://localhost:7430";

function directives(headers: readonly RawHeader[]): ReadonlyMap<string, string> {
  const text = headers.find(([name]) => name === "content-security-policy")?.[1] ?? "";
  return new Map(
    text.split("; ").map((one) => {
      const [name = "", ...values] = one.split(" ");
      return [name, values.join(" ")];
    }),
  );
}

Deno.test("the page's policy lets in nothing from elsewhere, and no text becomes code or style", () => {
  const policy = directives(DESK_HEADERS);
  const text = [...policy.values()].join(" ");
  assert.doesNotMatch(text, /unsafe|http|\*|sha256|nonce/);
  for (const name of ["script-src", "style-src", "connect-src", "font-src", "worker-src", "default-src"]) {
    assert.equal(policy.get(name), "'self'", name);
  }
  for (const name of ["object-src", "frame-src", "frame-ancestors", "base-uri", "form-action"]) {
    assert.equal(policy.get(name), "'none'", name);
  }
  assert.equal(policy.get("require-trusted-types-for"), "'script'");
});

Deno.test("an answer of the API does nothing where it is opened by itself", () => {
  const policy = directives(DESK_DATA_HEADERS);
  assert.deepEqual([policy.get("default-src"), policy.get("sandbox")], ["'none'", ""]);
  const headers = new Map(DESK_DATA_HEADERS);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
});

/** What a browser says a request is for, and whether the API may give it. */
const USES: readonly (readonly [string | undefined, boolean])[] = [
  [undefined, true],
  ["empty", true],
  ["document", true],
  ["image", true],
  ["audio", true],
  ["video", true],
  ["track", true],
  ["script", false],
  ["style", false],
  ["worker", false],
  ["sharedworker", false],
  ["serviceworker", false],
  ["audioworklet", false],
  ["manifest", false],
  ["iframe", false],
  ["frame", false],
  ["embed", false],
  ["object", false],
  ["xslt", false],
  ["font", false],
  ["", false],
];

for (const [use, may] of USES) {
  Deno.test(`an answer of the API may ${may ? "" : "not "}be used as ${use ?? "what no browser says"}`, () => {
    const headers: RawHeader[] = [["Sec-Fetch-Site", "same-origin"]];
    if (use !== undefined) headers.push(["Sec-Fetch-Dest", use]);
    assert.equal(refusedAtDesk(frontRequest("/v1/status", headers), OWN) === undefined, may);
  });
}

Deno.test("the desk's own Origin is what a change needs", () => {
  const why = (...headers: readonly RawHeader[]) =>
    refusedAtDesk(frontRequest("/v1/x", headers, "POST"), OWN);
  assert.equal(why(["Origin", OWN]), undefined);
  assert.match(why() ?? "", /says its Origin/);
  assert.match(why(["Origin", "http://notes.localhost:7430"]) ?? "", /another origin/);
  assert.match(why(["Origin", OWN], ["Sec-Fetch-Site", "same-site"]) ?? "", /another site/);
});
