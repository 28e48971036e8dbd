import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "two Origins, one of them right",
  request: ({ port, app, cookie }) =>
    `POST /api/notes HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\nOrigin: http://${app}.localhost:${port}\r\nOrigin: http://evil.example\r\nContent-Length: 4\r\n\r\nevil`,
  statuses: [403],
};
