import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a read that another app's page caused",
  request: ({ port, app, cookie }) =>
    `GET /api/notes HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-site\r\n\r\n`,
  statuses: [403],
};
