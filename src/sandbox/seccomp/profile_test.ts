import assert from "node:assert/strict";
import { narrowedProfile } from "./profile.ts";

Deno.test("an engine's profile loses what we deny and keeps the rest", () => {
  const before = {
    defaultAction: "SCMP_ACT_ERRNO",
    syscalls: [
      { names: ["read", "unshare", "clone", "clone3"], action: "SCMP_ACT_ALLOW" },
      { names: ["mount"], action: "SCMP_ACT_ALLOW", includes: { caps: ["CAP_SYS_ADMIN"] } },
    ],
  };
  const after = JSON.parse(narrowedProfile(JSON.stringify(before))!);
  assert.equal(after.defaultAction, "SCMP_ACT_ERRNO");
  const names = after.syscalls.flatMap((rule: { names: string[] }) => rule.names);
  assert.deepEqual(names, ["read", "clone", ...Array(4).fill("socket"), "clone3"]);
});

Deno.test("what is no profile is left to the engine", () => {
  assert.equal(narrowedProfile("[]"), undefined);
  assert.equal(narrowedProfile('{"syscalls": 1}'), undefined);
});
