import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a line end in the path",
  request: ({ port, app, cookie }) =>
    `GET /api/x%0d%0aX-Handler-Person:%20mallory HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [403],
};
