import type { Launch } from "./launch.ts";
import { plainValue, unitVariable, unitWord } from "./quote.ts";

/** The first line of every file that `handler install` writes for itself to know again. */
export const MARK = "Written by `handler install`; `handler uninstall` removes it.";

/** The units' file names. */
export const SERVICE = "handlerd.service";
export const SOCKET = "handlerd.socket";
export const PROXY = "handlerd-proxy.service";

/**
 * The daemon's unit; it listens behind the proxy, on a path of its own. What is left out: every option that sets
 * `NoNewPrivileges` or makes a user namespace, for with them rootless podman cannot map users and bubblewrap cannot make
 * namespaces.
 */
export function serviceUnit(launch: Launch): string {
  const argv = [...launch.argv, "--socket", launch.behind];
  const variables = Object.entries(launch.env).map(([name, value]) =>
    `Environment=${unitVariable(name, value)}\n`
  );
  return `# ${MARK}
[Unit]
Description=Handler: services, mini apps and threads for agents
Requires=${SOCKET}
After=${SOCKET}
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=notify
# readiness is told by systemd-notify, a process of its own
NotifyAccess=all
ExecStart=${argv.map(unitWord).join(" ")}
ExecReload=/bin/kill -HUP $MAINPID
${variables.join("")}Restart=on-failure
RestartSec=1
# a wrong command line, another handlerd: a further start would end the same
RestartPreventExitStatus=2 6
TimeoutStartSec=60
TimeoutStopSec=20
# sessions of agents outlive the daemon, and the next one takes them over
KillMode=process
# an agent that ran out of memory is no reason to end the daemon
OOMPolicy=continue
UMask=0077
LimitNOFILE=65536
LimitCORE=0

[Install]
WantedBy=default.target
`;
}

/** The socket that commands connect to: who comes before the daemon is ready waits, and starts it where it does not run. */
export function socketUnit({ socket }: Launch): string {
  return `# ${MARK}
[Unit]
Description=Handler's control socket

[Socket]
ListenStream=${plainValue(socket)}
SocketMode=0600
DirectoryMode=0700
RemoveOnStop=yes
Service=${PROXY}

[Install]
WantedBy=sockets.target
`;
}

/** Hands connections on to the daemon, so that no process of its sandboxes can inherit the listening socket. */
export function proxyUnit({ behind }: Launch, proxy: string): string {
  return `# ${MARK}
[Unit]
Description=Handler's control socket, handed on to handlerd
BindsTo=${SERVICE}
Requires=${SOCKET}
After=${SERVICE} ${SOCKET}

[Service]
ExecStart=${unitWord(proxy)} ${unitWord(behind)}
NoNewPrivileges=yes
LimitCORE=0
`;
}
