import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a request line that names a URL at all",
  request: ({ port, app, cookie }) =>
    `GET http://${app}.localhost:${port}/ HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
