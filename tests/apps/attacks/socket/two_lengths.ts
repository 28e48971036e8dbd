import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "two lengths of one body",
  request: ({ port, app, cookie }) =>
    `POST /api/notes HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\nOrigin: http://${app}.localhost:${port}\r\nContent-Length: 60\r\nContent-Length: 4\r\n\r\nevil`,
  statuses: [400],
};
