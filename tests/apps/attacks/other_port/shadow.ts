import type { PortAttack } from "../attack.ts";

export const attack: PortAttack = {
  from: "other port",
  what: "made-up cookies are put before the real one",
  cookies: () =>
    ["/api", "/api/", "/api/notes"].map((path) =>
      `handler-app=9999999999.mallory.${"0".repeat(64)}; Path=${path}`
    ),
  mayBe: ["owner"],
};
