/** Where a sandbox finds what Handler puts inside; the same under every driver that has mounts. */
export const INSIDE = {
  /** The Deno that runs Deno programs and the commands of `/opt/handler/bin`. */
  deno: "/opt/handler/deno",
  /** Handler's own guest programs, one file each. */
  guest: "/opt/handler/guest",
  /** The first program of a sandbox: it opens the egress listeners, then goes on to the program. */
  boot: "/opt/handler/guest/boot.js",
  /** The certificate authorities. */
  authorities: "/etc/ssl/certs/ca-certificates.crt",
  /** The unprivileged user. */
  uid: 1000,
  gid: 1000,
} as const;
