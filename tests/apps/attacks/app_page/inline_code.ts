import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "code from text",
  script: `
    const script = document.createElement("script");
    script.textContent = 'location.href = "' + sink + '"';
    document.head.append(script);
    try { eval('location.href = sink'); } catch {}
    try { setTimeout("location.href = '" + sink + "'", 0); } catch {}
    document.body.innerHTML = '<img src="/x" onerror="location.href=&quot;' + sink + '&quot;">';
    await new Promise((later) => setTimeout(later, 300));
  `,
};
