import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "no cookie",
  request: ({ port, app }) =>
    `GET /api/notes HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nX-Handler-Person: owner\r\n\r\n`,
  statuses: [401],
};
