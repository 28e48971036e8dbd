import type { PortAttack } from "../attack.ts";

export const attack: PortAttack = {
  from: "other port",
  what: "the cookie of another app is set in place of the own",
  cookies: (others) => [`${others}; Path=/; HttpOnly`],
  mayBe: ["signed out"],
};
