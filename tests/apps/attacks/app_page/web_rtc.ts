import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a peer connection, by STUN and by TURN",
  script: `
    const servers = [{ urls: "stun:" + udp }, { urls: "turn:" + udp, username: "u", credential: "c" },
      { urls: "turn:" + host + "?transport=tcp", username: "u", credential: "c" }];
    const peer = new RTCPeerConnection({ iceServers: servers });
    peer.createDataChannel("x");
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((later) => setTimeout(later, 1500));
  `,
  plainLeak: ["chromium", "firefox"],
};
