import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "a form from a frame whose Origin is null",
  script: `
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts allow-forms";
    frame.srcdoc = '<form method="POST" enctype="text/plain" action="' + victim + '/api/notes"><input name="evil"></form><script>document.forms[0].submit(); fetch("' + victim + '/api/notes", { method: "POST", body: "evil", mode: "no-cors", credentials: "include" })</script>';
    document.body.append(frame);
    await new Promise((later) => setTimeout(later, 600));
  `,
};
