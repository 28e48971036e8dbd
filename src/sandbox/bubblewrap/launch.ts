import { LAY_STREAMS } from "../launched.ts";

/**
 * The shell script that bubblewrap is started by. It joins the control groups before anything else runs, lays the
 * descriptors (9: bubblewrap's arguments, 8: its status, 7: the seccomp filter, 6: what it waits for), sets limits, and
 * becomes bubblewrap.
 *
 * Arguments: groups (one a line), stdin FIFO or nothing, log file or nothing, status file, limits for `ulimit` (one a
 * line), filter file or nothing, FIFO to wait for or nothing, then bubblewrap and what it runs.
 */
const SCRIPT = `
groups=$1 fifo=$2 log=$3 status=$4 limits=$5 filter=$6 gate=$7
shift 7
IFS='
'
for group in $groups; do echo $$ > "$group/cgroup.procs" || exit 125; done
for limit in $limits; do eval "ulimit $limit" || exit 125; done
exec 9<&0 8>"$status"
if [ -n "$filter" ]; then exec 7<"$filter"; fi
if [ -n "$gate" ]; then exec 6<>"$gate"; fi
${LAY_STREAMS}
exec "$@"
`;

/**
 * What the outer of two bubblewraps runs: the network namespace is its own, so its ports below 1024 can be opened to
 * the unprivileged user of the inner one, which then has no capability at all.
 */
const OPEN_LOW_PORTS = `echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start && exec "$@"`;

/** How a sandbox's first process is started. */
export interface Launch {
  readonly bubblewrap: string;
  readonly groups: readonly string[];
  readonly ulimits: readonly string[];
  readonly stdinFifo: string | undefined;
  readonly logFile: string | undefined;
  readonly statusFile: string;
  readonly filterFile: string | undefined;
  /** A FIFO that is written to when the program is to run, where all else is made before. */
  readonly gate: string | undefined;
  /** Whether ports below 1024 are opened inside, by an outer bubblewrap. */
  readonly lowPorts: boolean;
  readonly outlivesDaemon: boolean;
  readonly program: readonly string[];
}

/** The command line; bubblewrap's own arguments come through stdin. It holds no secret. */
export function launchArgv(launch: Launch): string[] {
  const { bubblewrap } = launch;
  const waits = launch.gate === undefined ? [] : ["--block-fd", "6"];
  const inner = [bubblewrap, "--args", "9", "--json-status-fd", "8", ...waits, "--", ...launch.program];
  return [
    "/bin/sh",
    "-c",
    SCRIPT,
    "handler-sandbox",
    launch.groups.join("\n"),
    launch.stdinFifo ?? "",
    launch.logFile ?? "",
    launch.statusFile,
    launch.ulimits.join("\n"),
    launch.filterFile ?? "",
    launch.gate ?? "",
    ...(launch.lowPorts ? outer(launch) : []),
    ...inner,
  ];
}

function outer({ bubblewrap, outlivesDaemon }: Launch): string[] {
  return [
    bubblewrap,
    ...["--unshare-user", "--unshare-net", "--uid", "0", "--gid", "0"],
    ...["--cap-drop", "ALL", "--cap-add", "CAP_NET_ADMIN", "--cap-add", "CAP_SETFCAP"],
    ...["--dev-bind", "/", "/", ...(outlivesDaemon ? [] : ["--die-with-parent"])],
    ...["--", "/bin/sh", "-c", OPEN_LOW_PORTS, "handler-sandbox"],
  ];
}
