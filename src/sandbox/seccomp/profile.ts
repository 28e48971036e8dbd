import { isObject } from "../../base/mod.ts";
import { DENIED, ENOSYS, NAMESPACE_FLAGS, SOCKET_FAMILIES } from "./denied.ts";

/**
 * An engine's own seccomp profile made narrower by our list: its profile lets a container make user namespaces, for
 * engines inside engines, and sockets that are the machine's. Undefined when the text is not a profile that allows by lists.
 */
export function narrowedProfile(text: string): string | undefined {
  const profile: unknown = JSON.parse(text);
  if (!isObject(profile) || !Array.isArray(profile.syscalls)) return undefined;
  const denied = new Set([...Object.keys(DENIED), "umount", "clone", "clone3", "socket", "socketcall"]);
  const kept = profile.syscalls.filter(isObject).map((rule) => ({
    ...rule,
    names: Array.isArray(rule.names) ? rule.names.filter((name) => !denied.has(String(name))) : [],
  }));
  const threads = {
    names: ["clone"],
    action: "SCMP_ACT_ALLOW",
    args: [{ index: 0, value: NAMESPACE_FLAGS, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }],
  };
  const sockets = Object.values(SOCKET_FAMILIES).map((value) => ({
    names: ["socket"],
    action: "SCMP_ACT_ALLOW",
    args: [{ index: 0, value, valueTwo: 0, op: "SCMP_CMP_EQ" }],
  }));
  const missing = { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: ENOSYS, errno: "ENOSYS" };
  const syscalls = [...kept.filter(({ names }) => names.length > 0), threads, ...sockets, missing];
  return JSON.stringify({ ...profile, syscalls });
}
