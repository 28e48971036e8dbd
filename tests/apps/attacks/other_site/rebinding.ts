import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "the same machine by another name of its own",
  script: `
    const port = new URL(victim).port;
    for (const name of ["127.0.0.1", "localhost", "x." + new URL(victim).hostname]) {
      await fetch("http://" + name + ":" + port + "/api/notes", { credentials: "include" })
        .then(async (answer) => report(name + await answer.text()), () => {});
    }
  `,
};
