import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "a form into an app",
  script: `
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: victim + "/api/notes", enctype: "text/plain" });
    form.innerHTML = '<input name="evil">';
    document.body.append(form);
    form.submit();
    await new Promise((later) => setTimeout(later, 300));
  `,
  click: true,
};
