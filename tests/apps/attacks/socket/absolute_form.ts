import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a request line that names another app than the Host",
  request: ({ port, app, cookie }) =>
    `GET http://${app}.localhost:${port}/ HTTP/1.1\r\nHost: other.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
