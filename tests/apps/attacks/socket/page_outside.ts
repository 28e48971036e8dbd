import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a path that leads out of the page's folder",
  request: ({ port, app, cookie }) =>
    `GET /..%2f..%2fapp.toml HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [400],
};
