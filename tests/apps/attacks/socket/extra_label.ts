import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "one more name before the app's",
  request: ({ port, app, cookie }) =>
    `GET / HTTP/1.1\r\nHost: x.${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
