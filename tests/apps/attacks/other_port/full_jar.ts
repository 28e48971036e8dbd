import type { PortAttack } from "../attack.ts";

export const attack: PortAttack = {
  from: "other port",
  what: "so many cookies that the real one is thrown out",
  cookies: () => Array.from({ length: 400 }, (_, at) => `filler${at}=${"x".repeat(20)}; Path=/`),
  mayBe: ["owner", "signed out"],
};
