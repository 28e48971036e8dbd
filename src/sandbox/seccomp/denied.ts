/**
 * System calls that no sandbox has a use for and that have opened kernels before: mounts and namespaces, the kernel's
 * keys, its programs, tracing and memory faults, modules, clocks, and whatever reaches files past their paths. With each
 * its number on x86_64 and aarch64; undefined where that machine has none.
 */
export const DENIED: Readonly<Record<string, readonly [x86_64: number, aarch64: number | undefined]>> = {
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  unshare: [272, 97],
  setns: [308, 268],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  lookup_dcookie: [212, 18],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  nfsservctl: [180, 42],
  syslog: [103, 116],
  vhangup: [153, 58],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
  uselib: [134, undefined],
};

/** Flags of `clone` that make a namespace; without them it makes threads and processes. */
export const NAMESPACE_FLAGS = 0x7e020000;

/** `clone3` has its flags in memory, where no filter sees them: programs fall back to `clone` when it is missing. */
export const ENOSYS = 38;
export const EPERM = 1;
export const EAFNOSUPPORT = 97;

/** Kinds of sockets that belong to the sandbox's own network; others (vsock, Bluetooth) are the machine's. */
export const SOCKET_FAMILIES: Readonly<Record<string, number>> = { unix: 1, inet: 2, inet6: 10, netlink: 16 };

/** Terminal requests that type for the person at the terminal. */
export const TERMINAL_REQUESTS: readonly number[] = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX
