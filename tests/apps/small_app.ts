/** What the smallest app of these tests consists of. */
export interface SmallApp {
  readonly name: string;
  readonly version: string;
  /** Lines of `app.toml` after the head, tables included. */
  readonly manifest: string;
  /** `server/main.ts`; see {@linkcode NOTES}. */
  readonly server: string;
  /** `server/main_test.ts`; none where it is undefined. */
  readonly test: string | undefined;
  /** Files of the page below `ui/dist`. */
  readonly page: Readonly<Record<string, string>>;
}

/** A backend that keeps notes: POST adds one, GET lists them. `migrate` is SQL that runs at each start. */
export function notes(migrate = "", more = ""): string {
  return `import { DatabaseSync } from "node:sqlite";
const db = new DatabaseSync(Deno.env.get("HANDLER_APP_DATA") + "/notes.db");
db.exec("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)");
db.exec(${JSON.stringify(migrate)});
Deno.serve({ path: Deno.env.get("HANDLER_APP_SOCKET")!, onListen() {} }, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/api/health") return new Response("ok");
  ${more}
  if (request.method === "POST") {
    db.prepare("INSERT INTO notes (text) VALUES (?)").run(await request.text());
    return new Response("kept", { status: 201 });
  }
  return Response.json(db.prepare("SELECT text FROM notes ORDER BY id").all().map((row) => row.text));
});
`;
}

/** A backend without data; \`body\` answers a \`request\` with its \`pathname\`. */
export function backend(body: string, before = ""): string {
  return `${before}
Deno.serve({ path: Deno.env.get("HANDLER_APP_SOCKET")!, onListen() {} }, async (request, info) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/api/health") return new Response("ok");
  ${body}
  return new Response("nothing", { status: 404 });
});
`;
}

const PLAIN_PAGE = { "index.html": "<!doctype html><title>Small</title><p>Small app\n" };

/** Writes an app's source into a folder and gives the folder. */
export async function layApp(folder: string, app: Partial<SmallApp> & { readonly name: string }) {
  const { name, version = "0.1.0", manifest = "", server = notes(), test, page = PLAIN_PAGE } = app;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(`${folder}/server`, { recursive: true });
  const head = `apiVersion = "handler.miniapp/v1"\nname = "${name}"\nversion = "${version}"\n`;
  await Deno.writeTextFile(`${folder}/app.toml`, `${head}description = "A small app"\n${manifest}\n`);
  await Deno.writeTextFile(`${folder}/server/main.ts`, server);
  if (test !== undefined) await Deno.writeTextFile(`${folder}/server/main_test.ts`, test);
  for (const [path, text] of Object.entries(page)) {
    const file = `${folder}/ui/dist/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  return folder;
}
