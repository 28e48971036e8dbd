import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a form sent elsewhere, in the window and in a new one",
  script: `
    for (const target of ["_self", "_blank", "_top"]) {
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", action: sink, target });
      document.body.append(form);
      form.submit();
    }
  `,
  click: true,
  plainConnects: ["chromium"],
};
