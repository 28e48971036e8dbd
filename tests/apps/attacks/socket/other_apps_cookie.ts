import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "the cookie of another app",
  request: ({ port, cookie }) =>
    `GET / HTTP/1.1\r\nHost: other.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [401],
};
