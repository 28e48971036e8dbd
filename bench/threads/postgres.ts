import { delay } from "../../src/base/mod.ts";
import { removeQuietly, run } from "../../src/platform/mod.ts";

const PLACES = ["/usr/lib/postgresql/17/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/15/bin"];

/** A PostgreSQL server of the bench's own, with its settings as shipped (fsync and synchronous commit on). */
export interface Postgres extends AsyncDisposable {
  readonly url: string | undefined;
  readonly why: string;
}

/** Starts one where it is installed. It does not run as root, so there it becomes the system's user `postgres`. */
export async function postgres(): Promise<Postgres> {
  const none = (why: string) => ({ url: undefined, why, async [Symbol.asyncDispose]() {} });
  const bin = PLACES.find((place) => exists(`${place}/initdb`));
  if (!bin) return none("PostgreSQL is not on this machine: apt-get install postgresql");
  // the way there is open to the user that it runs as, which a bench's own folder is not
  const folder = await Deno.makeTempDir({ prefix: "bench-pg-" });
  const user = Deno.uid() === 0 ? await userOf("postgres") : undefined;
  if (user) Deno.chownSync(folder, user.uid, user.gid);
  const made = await new Deno.Command(`${bin}/initdb`, {
    args: ["-D", `${folder}/data`, "-A", "trust", "-U", "postgres"],
    cwd: folder,
    ...user,
  }).output();
  if (!made.success) return none(new TextDecoder().decode(made.stderr).trim());
  const server = new Deno.Command(`${bin}/postgres`, {
    args: ["-D", `${folder}/data`, "-k", folder, "-c", "listen_addresses="],
    cwd: folder,
    stdout: "null",
    stderr: "null",
    ...user,
  }).spawn();
  for (let left = 100; !exists(`${folder}/.s.PGSQL.5432`) && left > 0; left--) await delay(100);
  await delay(500);
  return {
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    why: "",
    async [Symbol.asyncDispose]() {
      server.kill("SIGINT");
      await server.status;
      await removeQuietly(folder);
    },
  };
}

async function userOf(name: string): Promise<{ readonly uid: number; readonly gid: number }> {
  const id = async (flag: string) => Number((await run(["id", flag, name], { inheritEnv: true })).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
