import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "lines that end in LF alone",
  request: ({ port, app, cookie }) =>
    `GET /api/notes HTTP/1.1\nHost: ${app}.localhost:${port}\nCookie: ${cookie}\n\n`,
  statuses: [400],
};
