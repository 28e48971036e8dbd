import type { PortAttack } from "../attack.ts";

export const attack: PortAttack = {
  from: "other port",
  what: "the cookie is overwritten with a made-up one",
  cookies: () => [`handler-app=9999999999.mallory.${"0".repeat(64)}; Path=/; HttpOnly`],
  mayBe: ["signed out"],
};
