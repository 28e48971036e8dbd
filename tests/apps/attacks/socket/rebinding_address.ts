import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "another address of this machine",
  request: ({ port, cookie }) => `GET / HTTP/1.1\r\nHost: 127.1:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
