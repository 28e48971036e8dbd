import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "fetches into another app, with its cookie",
  script: `
    for (const mode of ["no-cors", "cors"]) {
      for (const method of ["GET", "POST"]) {
        const asked = { mode, method, credentials: "include", ...(method === "POST" ? { body: "evil" } : {}) };
        await fetch(victim + "/api/notes", asked).then(async (answer) => report(await answer.text()), () => {});
      }
    }
  `,
};
