import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a Host that goes on in the next line",
  request: ({ port, app, cookie }) =>
    `GET / HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\n .evil.example\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [400],
};
