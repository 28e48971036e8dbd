import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "sound, film and subtitles",
  script: `
    document.body.innerHTML = '<video src="' + sink + '" poster="' + sink + '" autoplay muted></video><audio src="' + sink + '" autoplay></audio>' +
      '<video autoplay muted><source src="' + sink + '"><track default src="' + sink + '"></video>';
  `,
};
