import type { PortAttack } from "../attack.ts";

export const attack: PortAttack = {
  from: "other port",
  what: "so many large cookies that no request could be read any more",
  cookies: () => Array.from({ length: 60 }, (_, at) => `filler${at}=${"x".repeat(3900)}; Path=/`),
  mayBe: ["owner", "signed out"],
};
