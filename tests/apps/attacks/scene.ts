import { type Desk, makeDesk } from "../desk.ts";
import { backend, notes } from "../small_app.ts";
import { attacksIn, type PageAttack } from "./attack.ts";

/** What is tried is told apart by this mark, which stands for `evil` in an attack's script. */
export const markOf = (name: string) => `evil-${name.replaceAll("_", "-")}`;

const VICTIM = notes(
  "",
  `if (pathname === "/api/add") {
    db.prepare("INSERT INTO notes (text) VALUES (?)").run(new URL(request.url).search);
    return new Response("kept");
  }
  if (pathname === "/api/socket") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => db.prepare("INSERT INTO notes (text) VALUES ('evil socket')").run();
    return response;
  }`,
);

/** A backend that answers with whatever helps its page to get out. */
const EVIL = backend(`
  const to = new URL(request.url).searchParams.get("to");
  if (pathname === "/api/redirect") return new Response(null, { status: 307, headers: { location: to } });
  const html = '<img src="' + to + '"><link rel=stylesheet href="' + to + '"><script>fetch("' + to + '")</script>';
  const type = { "content-type": "text/html" };
  if (pathname === "/api/page") {
    return new Response(html, { headers: { ...type, "content-security-policy": "default-src *" } });
  }
  if (pathname === "/api/headers") {
    return new Response(html, { headers: {
      ...type,
      "link": "<" + to + ">; rel=preload; as=image, <" + to + ">; rel=preconnect, <" + to + ">; rel=prefetch",
      "refresh": "0; url=" + to,
      "content-security-policy-report-only": "default-src 'none'; report-uri " + to,
      "speculation-rules": '"' + to + '"',
      "reporting-endpoints": 'default="' + to + '"',
      "nel": '{"report_to":"default","max_age":99,"success_fraction":1}',
      "location": to,
      "x-dns-prefetch-control": "on",
      "set-cookie": "evil=1; domain=localhost",
    } });
  }
  if (pathname === "/api/worker.js") {
    const headers = { "content-type": "text/javascript", "service-worker-allowed": "/" };
    return new Response("self.addEventListener('fetch', () => {})", { headers });
  }
`);

const RUN = `const told = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const report = (text) => text && console.log("REPORT " + text);
const { default: attack } = await import(told.module);
const begin = () => attack({ ...told, report }).catch(() => {}).finally(() => console.log("DONE"));
if (told.click) document.querySelector("#go").addEventListener("click", begin);
console.log("READY");
if (!told.click) setTimeout(begin, 50);
`;

const PAGE = `<!doctype html><meta charset="utf-8"><title>page</title><body><button id="go">go</button>
<script type="module" src="/run.js"></script>
`;

function moduleOf(name: string, { script }: PageAttack): string {
  const own = script.replaceAll(/\bevil\b/g, markOf(name));
  return `export default async ({ sink, host, udp, victim, report }) => {${own}};\n`;
}

/** An app `victim` with something private, an app `evil` whose page is full of attacks, and a site elsewhere. */
export interface Scene extends AsyncDisposable {
  readonly desk: Desk;
  /** The other site's port; it serves the same page without any policy, under every name of this machine. */
  readonly site: number;
}

/** Makes the scene. */
export async function makeScene(): Promise<Scene> {
  const desk = await makeDesk();
  const ours = await attacksIn<PageAttack>("app_page");
  const theirs = await attacksIn<PageAttack>("other_site");
  const page = { "index.html": PAGE, "secret.js": "globalThis.secret = 'private';" };
  await desk.lay({ name: "victim", server: VICTIM, page });
  const files = Object.fromEntries(
    ours.map(([name, attack]) => [`attacks/${name}.js`, moduleOf(name, attack)]),
  );
  const worker = { "attacks/worker.js": "self.addEventListener('fetch', () => {});" };
  await desk.lay({
    name: "evil",
    server: EVIL,
    page: { "index.html": PAGE, "run.js": RUN, ...files, ...worker },
  });
  for (const name of ["victim", "evil"]) await desk.deploy(name);
  const modules = Object.fromEntries(
    theirs.map(([name, attack]) => [`/attacks/${name}.js`, moduleOf(name, attack)]),
  );
  const site = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => answer(request, modules),
  );
  return {
    desk,
    site: site.addr.port,
    async [Symbol.asyncDispose]() {
      await site.shutdown();
      await desk[Symbol.asyncDispose]();
    },
  };
}

function answer(request: Request, modules: Readonly<Record<string, string>>): Response {
  const { pathname } = new URL(request.url);
  const text = pathname === "/" ? PAGE : pathname === "/run.js" ? RUN : modules[pathname];
  const type = pathname === "/" ? "text/html" : "text/javascript";
  return new Response(text ?? "nothing", {
    status: text === undefined ? 404 : 200,
    headers: { "content-type": type },
  });
}
