/** What the programs inside a sandbox take from their surroundings; a test gives its own. */
export interface GuestEnvironment {
  readonly args: readonly string[];
  variable(name: string): string | undefined;
  readonly stdin: { read(into: Uint8Array): Promise<number | null> };
  readonly stdout: { write(bytes: Uint8Array): Promise<number> };
  out(text: string): void;
  err(text: string): void;
}

/** The process's own surroundings. */
export function processEnvironment(args: readonly string[]): GuestEnvironment {
  return {
    args,
    variable: (name) => Deno.env.get(name) || undefined,
    stdin: Deno.stdin,
    stdout: Deno.stdout,
    out: (text) => writeAll(Deno.stdout, text),
    err: (text) => writeAll(Deno.stderr, text),
  };
}

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += to.writeSync(bytes.subarray(at));
}

/** Where the service sockets of this sandbox are. */
export function servicesFolder(guest: GuestEnvironment): string {
  return guest.variable("HANDLER_SERVICES") ?? "/run/handler/services";
}

/** The interfaces that have a socket here, by name. */
export function servicesHere(guest: GuestEnvironment): readonly string[] {
  try {
    return [...Deno.readDirSync(servicesFolder(guest))]
      .flatMap(({ name }) => name.endsWith(".sock") ? [name.slice(0, -5)] : [])
      .sort();
  } catch {
    return [];
  }
}

/** The socket of one interface, or undefined where this sandbox has none for it. */
export function serviceSocket(guest: GuestEnvironment, name: string): string | undefined {
  return servicesHere(guest).includes(name) ? `${servicesFolder(guest)}/${name}.sock` : undefined;
}
