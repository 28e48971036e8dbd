import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "embedded documents",
  script: `
    document.body.innerHTML = ['<embed src="', '<object data="', '<iframe src="', '<frame src="'].map((tag) => tag + sink + '"></object></iframe>').join("");
  `,
  plainConnects: ["chromium"],
};
