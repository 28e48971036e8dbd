import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "the Origin of a sandboxed frame or a file",
  request: ({ port, app, cookie }) =>
    `POST /api/notes HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\nOrigin: null\r\nContent-Length: 4\r\n\r\nevil`,
  statuses: [403],
};
