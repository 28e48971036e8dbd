import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a frame of its own making, which has no policy of its own",
  script: `
    const frame = document.createElement("iframe");
    frame.srcdoc = '<img src="' + sink + '"><script>fetch("' + sink + '")</script>';
    document.body.append(frame);
    const blank = document.createElement("iframe");
    document.body.append(blank);
    blank.contentWindow?.fetch(sink).catch(() => {});
  `,
  plainConnects: ["chromium"],
};
