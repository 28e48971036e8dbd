import assert from "node:assert/strict";
import { failure } from "./deno.ts";

const unit = { name: "connectors/small" };

Deno.test("a missing network is told as that, with what helps", () => {
  const said =
    `error: Failed loading https://registry.example/@esbuild%2flinux-x64 for package "@esbuild/linux-x64"

Caused by:
    error sending request for url (https://registry.example/): client error (Connect): dns error`;
  const error = failure(unit, "bundling main.ts", said);
  assert.equal(error.kind, "unavailable");
  assert.match(error.message, /^connectors\/small: bundling main\.ts needs the network once/);
  assert.match(error.hint ?? "", /deno task prepare/);
});

Deno.test("a package that is not the one of the lock file is told as that", () => {
  const said = `error: Failed caching npm package 'utif2@4.1.0'

Caused by:
    Tarball checksum did not match what was provided by npm registry for utif2@4.1.0.

    Expected: AAAA
    Actual: +okn`;
  const error = failure(unit, "fetching its packages", said);
  assert.equal(error.kind, "invalid");
  assert.match(
    error.message,
    /^connectors\/small: a package is not the one that deno\.lock names\n.*utif2@4\.1\.0/s,
  );
});

Deno.test("anything else is told in Deno's words", () => {
  const error = failure(unit, "bundling main.ts", "error: Could not resolve './nowhere.ts'");
  assert.equal(error.kind, "invalid");
  assert.match(error.message, /bundling main\.ts failed\nerror: Could not resolve/);
});
