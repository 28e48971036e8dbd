import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a form into another app",
  script: `
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: victim + "/api/notes", enctype: "text/plain" });
    form.innerHTML = '<input name="evil">';
    document.body.append(form);
    form.submit();
  `,
  click: true,
};
