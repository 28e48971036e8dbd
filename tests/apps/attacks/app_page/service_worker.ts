import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a service worker of the app's own, and other workers",
  script: `
    const worker = 'fetch("' + sink + '")';
    const url = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    for (const path of ["/attacks/worker.js", "/api/worker.js", url]) {
      await navigator.serviceWorker?.register(path).then(() => report("a service worker runs"), () => {});
      for (const Kind of [Worker, SharedWorker]) try { new Kind(path); } catch {}
    }
    await new Promise((later) => setTimeout(later, 300));
  `,
};
