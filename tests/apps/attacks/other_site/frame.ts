import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "an app in a frame, to be clicked through",
  script: `
    const frame = document.createElement("iframe");
    frame.src = victim + "/";
    document.body.append(frame);
    addEventListener("message", ({ data }) => report(data));
    await new Promise((later) => setTimeout(later, 800));
  `,
};
