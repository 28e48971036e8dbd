import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "a link that is fetched ahead, which must not use it up",
  script: `
    const link = document.createElement("link");
    Object.assign(link, { rel: "prefetch", href: victim + "/_handler/open" });
    document.head.append(link);
    await fetch(victim + "/_handler/open", { method: "POST", body: "0".repeat(48), mode: "no-cors" }).catch(() => {});
  `,
};
