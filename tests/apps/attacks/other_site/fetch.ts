import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "fetches into an app, with its cookie",
  script: `
    for (const mode of ["no-cors", "cors"]) {
      for (const method of ["GET", "POST", "PUT"]) {
        const asked = { mode, method, credentials: "include", ...(method === "GET" ? {} : { body: "evil" }) };
        await fetch(victim + "/api/notes", asked).then(async (answer) => report(await answer.text()), () => {});
      }
    }
  `,
};
