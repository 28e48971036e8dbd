import { delay } from "../../src/base/mod.ts";
import { ensureFolder, run } from "../../src/platform/mod.ts";

const PLACES = ["/usr/lib/postgresql/17/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/15/bin"];

/** A PostgreSQL server of the bench's own, with its settings as shipped (fsync and synchronous commit on). */
export interface Postgres extends AsyncDisposable {
  readonly url: string | undefined;
  readonly why: string;
}

/** Starts one where it is installed. It does not run as root, so there it becomes the system's user `postgres`. */
export async function postgres(folder: string): Promise<Postgres> {
  const none = (why: string) => ({ url: undefined, why, async [Symbol.asyncDispose]() {} });
  const bin = PLACES.find((place) => exists(`${place}/initdb`));
  if (!bin) return none("PostgreSQL is not on this machine: apt-get install postgresql");
  await ensureFolder(folder);
  const isRoot = Deno.uid() === 0;
  const as = isRoot ? ["runuser", "-u", "postgres", "--"] : [];
  if (isRoot) await run(["chown", "postgres", folder], {});
  const made = await run([...as, `${bin}/initdb`, "-D", `${folder}/data`, "-A", "trust", "-U", "postgres"], {
    inheritEnv: true,
  });
  if (made.code !== 0) return none(made.stderr.trim());
  const server = new Deno.Command(as[0] ?? `${bin}/postgres`, {
    args: [
      ...as.length > 0 ? [...as.slice(1), `${bin}/postgres`] : [],
      ...["-D", `${folder}/data`, "-k", folder, "-c", "listen_addresses="],
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  for (let left = 100; !exists(`${folder}/.s.PGSQL.5432`) && left > 0; left--) await delay(100);
  await delay(500);
  return {
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    why: "",
    async [Symbol.asyncDispose]() {
      server.kill("SIGINT");
      await server.status;
    },
  };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
