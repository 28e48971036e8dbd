import { join } from "node:path";

/** The host's side of an escape: something to reach, and a look at whether it was reached. */
export interface Target extends AsyncDisposable {
  /** What the code inside is told. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** Whether the host saw it happen, where that is not for the inside to say. */
  seen?(): boolean | Promise<boolean>;
}

/** One way out that is tried from inside. */
export interface Escape {
  readonly name: string;
  /** Makes the target in a folder that no sandbox sees; `rw` is seen inside at `/work/rw`. */
  aim(folders: { readonly hidden: string; readonly rw: string; readonly ro: string }): Promise<Target>;
  /** The body of an async function of `facts`; it gives a text when it got out, undefined when not. */
  readonly code: string;
  /** A prelude for a limit that the code must not pass. */
  readonly limits?: { readonly memoryBytes?: number; readonly pids?: number };
}

const nothing = (): Promise<Target> => Promise.resolve({ facts: {}, [Symbol.asyncDispose]: async () => {} });
const SECRET = "the-host-secret-" + crypto.randomUUID();

async function secretFile(folder: string): Promise<Target> {
  const path = join(folder, "secret.txt");
  await Deno.writeTextFile(path, SECRET);
  return { facts: { path, secret: SECRET }, [Symbol.asyncDispose]: async () => {} };
}

/** An address of the host that is not loopback; loopback where it has none. */
function hostAddress(): string {
  const found = Deno.networkInterfaces().find(({ family, address }) =>
    family === "IPv4" && !address.startsWith("127.")
  );
  return found?.address ?? "127.0.0.1";
}

function tcpServer(hostname: string): Promise<Target> {
  const listener = Deno.listen({ hostname: "0.0.0.0", port: 0 });
  let seen = false;
  const done = (async () => {
    for await (const connection of listener) {
      seen = true;
      connection.close();
    }
  })();
  return Promise.resolve({
    facts: { hostname, port: listener.addr.port },
    seen: () => seen,
    async [Symbol.asyncDispose]() {
      listener.close();
      await done;
    },
  });
}

async function udpServer(): Promise<Target> {
  const { createSocket } = await import("node:dgram");
  const socket = createSocket("udp4");
  let seen = false;
  socket.on("message", () => seen = true);
  await new Promise<void>((bound) => socket.bind(0, "0.0.0.0", bound));
  return {
    facts: { hostname: hostAddress(), port: socket.address().port },
    async seen() {
      await new Promise((done) => setTimeout(done, 100));
      return seen;
    },
    [Symbol.asyncDispose]: () => new Promise((closed) => socket.close(() => closed())),
  };
}

/** A process of the host that must not be seen, touched or ended. */
function bystander(): Promise<Target> {
  const mark = String(80_000 + Math.floor(Math.random() * 9_000));
  const child = new Deno.Command("sleep", { args: [mark] }).spawn();
  let alive = true;
  const ended = child.status.then(() => alive = false);
  return Promise.resolve({
    facts: { pid: child.pid, mark },
    async seen() {
      await new Promise((done) => setTimeout(done, 50));
      return !alive;
    },
    async [Symbol.asyncDispose]() {
      if (alive) child.kill("SIGKILL");
      await ended;
    },
  });
}

/** A listener on an abstract address, which no folder hides. */
async function abstractSocket(): Promise<Target> {
  const name = "handler-escape-" + crypto.randomUUID().slice(0, 8);
  const script =
    `use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un("\\0${name}")) or die; ` +
    `listen($s, 1); $| = 1; print "ready\\n"; accept(my $c, $s); print "seen\\n";`;
  const child = new Deno.Command("perl", { args: ["-e", script], stdout: "piped" }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  let seen = false;
  const watching = reader.read().then(({ value }) => seen = value?.includes("seen") ?? false);
  return {
    facts: { name },
    async seen() {
      await new Promise((done) => setTimeout(done, 50));
      return seen;
    },
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch {
        // it has ended
      }
      await watching;
      await child.status;
    },
  };
}

async function unixServer(folder: string): Promise<Target> {
  const path = join(folder, "other.sock");
  const listener = Deno.listen({ transport: "unix", path });
  let seen = false;
  const done = (async () => {
    for await (const connection of listener) {
      seen = true;
      connection.close();
    }
  })();
  return await Promise.resolve({
    facts: { path },
    seen: () => seen,
    async [Symbol.asyncDispose]() {
      listener.close();
      await done;
    },
  });
}

const CONNECT =
  `const c = await Deno.connect({ hostname: facts.hostname, port: facts.port }); c.close(); return "connected";`;
const RUN = `const run = (...argv) => new Deno.Command(argv[0], { args: argv.slice(1) }).output()
  .then((o) => ({ code: o.code, out: new TextDecoder().decode(o.stdout) + new TextDecoder().decode(o.stderr) }));`;

/** All ways out, each tried under every driver. */
export const ESCAPES: readonly Escape[] = [
  { name: "TCP to the network", aim: () => tcpServer(hostAddress()), code: CONNECT },
  { name: "TCP to the host's loopback", aim: () => tcpServer("127.0.0.1"), code: CONNECT },
  {
    name: "UDP",
    aim: udpServer,
    code: `const { createSocket } = await import("node:dgram"); const s = createSocket("udp4");
      await new Promise((done, fail) => { s.on("error", fail); s.send("x", facts.port, facts.hostname, (e) => e ? fail(e) : done()); });
      s.close();`,
  },
  {
    name: "DNS",
    aim: udpServer,
    code: `const nameServer = { ipAddr: facts.hostname, port: facts.port };
      await Promise.race([Deno.resolveDns("secret.example.com", "A", { nameServer }), new Promise((d) => setTimeout(d, 500))]);`,
  },
  {
    name: "abstract unix socket",
    aim: abstractSocket,
    code: `${RUN}
      const script = 'use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, pack_sockaddr_un("\\\\0' + facts.name + '")) or die $!;';
      const { code, out } = await run("perl", "-e", script); if (code !== 0) throw new Error(out);`,
  },
  {
    name: "host file by its path",
    aim: ({ hidden }) => secretFile(hidden),
    code:
      `for (const root of ["", "/proc/1/root", "/proc/self/root", "/work/rw/../../..", "/proc/self/cwd/../../.."]) {
      try { if ((await Deno.readTextFile(root + facts.path)).includes(facts.secret)) return root + facts.path; } catch { /* not that way */ }
    }
    for (const path of ["/etc/shadow", "/root/.bash_history", "/home", "/var/lib"]) {
      try { const info = Deno.statSync(path); if (info.isFile) { await Deno.readTextFile(path); return path; } } catch { /* nor that */ }
    }`,
  },
  {
    name: "another sandbox's socket",
    aim: ({ hidden }) => unixServer(hidden),
    code: `await Deno.connect({ transport: "unix", path: facts.path }); return "connected";`,
  },
  {
    name: "the host's environment",
    aim: () => {
      Deno.env.set("HANDLER_ESCAPE_CANARY", SECRET);
      return Promise.resolve({
        facts: { secret: SECRET },
        [Symbol.asyncDispose]: () => Promise.resolve(Deno.env.delete("HANDLER_ESCAPE_CANARY")),
      });
    },
    code: `if (JSON.stringify(Deno.env.toObject()).includes(facts.secret)) return "own environment";
      for (const { name } of Deno.readDirSync("/proc")) {
        try { if (Deno.readTextFileSync("/proc/" + name + "/environ").includes(facts.secret)) return "process " + name; } catch { /* next */ }
      }`,
  },
  {
    name: "/proc of others",
    aim: bystander,
    code: `for (const { name } of Deno.readDirSync("/proc")) {
        try { if (Deno.readTextFileSync("/proc/" + name + "/cmdline").includes(facts.mark)) return "process " + name; } catch { /* next */ }
      }`,
  },
  {
    name: "kill of a host process",
    aim: bystander,
    code: `${RUN}
      try { Deno.kill(facts.pid, "SIGKILL"); } catch { /* not that way */ }
      await run("sh", "-c", "kill -9 " + facts.pid + "; kill -9 -1");`,
  },
  {
    name: "memory of a host process",
    aim: bystander,
    code:
      `const f = await Deno.open("/proc/" + facts.pid + "/maps"); const b = new Uint8Array(64); if (await f.read(b)) {
        const text = new TextDecoder().decode(b); if (text.includes("-")) {
          const cmd = await Deno.readTextFile("/proc/" + facts.pid + "/cmdline"); if (cmd.includes(facts.mark)) return "mapped"; } }`,
  },
  {
    name: "symlink planted in a writable mount",
    async aim({ hidden, rw }) {
      const target = await secretFile(hidden);
      await Deno.symlink(String(target.facts.path), join(rw, "link"));
      return target;
    },
    code:
      `if ((await Deno.readTextFile(RW + "/link")).includes(facts.secret)) return "read through the link";`,
  },
  {
    name: "writing a read-only mount",
    aim: nothing,
    code: `${RUN}
      const tries = [() => Deno.writeTextFile(RO + "/new", "x"), () => Deno.writeTextFile(RO + "/there.txt", "x"),
        () => Deno.chmod(RO + "/there.txt", 0o777),
        async () => { const r = await run("mount", "-o", "remount,rw", RO); if (r.code !== 0) throw r; }];
      for (const t of tries) { try { await t(); return "written"; } catch { /* next */ } }`,
  },
  {
    name: "writing outside of mounts",
    aim: nothing,
    code: `for (const path of ["/evil", "/etc/evil", "/usr/evil", "/opt/handler/guest/evil", "/etc/hosts"]) {
        try { await Deno.writeTextFile(path, "x"); return path; } catch { /* next */ }
      }`,
  },
  {
    name: "devices and kernel files",
    aim: nothing,
    code:
      `for (const path of ["/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg", "/dev/kvm", "/proc/kcore", "/proc/kmsg"]) {
        try { const f = await Deno.open(path); if (await f.read(new Uint8Array(16))) return path; } catch { /* next */ }
      }
      const walk = (folder) => {
        for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
          const path = folder + "/" + name;
          try {
            if (isDirectory && !/^\\/proc\\/(\\d+|self|thread-self)$/.test(path)) { const found = walk(path); if (found) return found; }
            if (isFile) { using f = Deno.openSync(path, { write: true }); if (f.statSync().isFile) return path; }
          } catch { /* closed */ }
        }
      };
      return walk("/proc") ?? walk("/sys");`,
  },
  {
    name: "setuid program",
    async aim({ rw }) {
      const path = join(rw, "setuid-id");
      await Deno.copyFile("/usr/bin/id", path);
      await Deno.chmod(path, 0o4755);
      return { facts: {}, [Symbol.asyncDispose]: async () => {} };
    },
    code: `${RUN}
      const before = Deno.uid();
      for (const argv of [[RW + "/setuid-id", "-u"], ["su", "-c", "id -u"], ["sudo", "-n", "id", "-u"]]) {
        try { const { code, out } = await run(...argv); if (code === 0 && Number(out.trim()) !== before) return argv[0]; } catch { /* next */ }
      }
      const status = await Deno.readTextFile("/proc/self/status");
      if (!/NoNewPrivs:\\s*1/.test(status)) return "new privileges are allowed";
      if (!/CapEff:\\s*0+\\n/.test(status) || !/CapBnd:\\s*0+\\n/.test(status)) return "it has capabilities";`,
  },
  {
    name: "new user namespace",
    aim: nothing,
    code:
      `${RUN} const { code, out } = await run("unshare", "--user", "--map-root-user", "id", "-u"); if (code === 0) return "made one: " + out;`,
  },
  {
    name: "the machine's own sockets",
    aim: nothing,
    code: `${RUN}
      const script = 'for my $family (40, 38, 31, 17) { exit 0 if socket(my $s, $family, 1, 0) } exit 1';
      if ((await run("perl", "-e", script)).code === 0) return "a socket of vsock, kernel crypto, Bluetooth or packets";`,
  },
  {
    name: "the kernel's keys",
    aim: nothing,
    code: `${RUN}
      const number = Deno.build.arch === "x86_64" ? 250 : 219; // keyctl(KEYCTL_GET_KEYRING_ID, user session keyring)
      if ((await run("perl", "-e", 'exit(syscall(' + number + ', 0, -5, 1) >= 0 ? 0 : 1)')).code === 0) return "a keyring";`,
  },
  {
    name: "fork bomb",
    aim: nothing,
    limits: { pids: 64 },
    code: `const children = []; try {
        for (let i = 0; i < 300; i++) children.push(new Deno.Command("sleep", { args: ["20"], stdin: "null", stdout: "null", stderr: "null" }).spawn());
      } catch { /* stopped */ }
      await new Promise((d) => setTimeout(d, 200));
      if (children.length > 64) return children.length + " processes";`,
  },
  {
    name: "memory bomb",
    aim: nothing,
    limits: { memoryBytes: 192 << 20 },
    code:
      `const held = []; for (let i = 0; i < 20; i++) { const b = new Uint8Array(32 << 20); for (let at = 0; at < b.length; at += 4096) b[at] = 1; held.push(b); await new Promise((d) => setTimeout(d, 20)); }
      return held.length * 32 + " MiB held";`,
  },
];
