import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** What every view needs: one file, for a file costs more than its bytes. */
const FRAME =
  /node_modules.*(svelte|lucide)|src.texts|src.lib.(?!schema)|src.parts.(Badge|Button|Card|Dialog|Empty|ErrorNote|Facts|Field|Loaded|Page|Time|TextField)\./;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the reader of documents asks for by fixed names: fonts, tables of letters, and its parts without WebAssembly. */
function documentData(): Plugin {
  return {
    name: "document-data",
    apply: "build",
    generateBundle() {
      for (
        const [folder, wanted] of [["cmaps", /\.bcmap$/], ["standard_fonts", /\.(pfb|ttf)$/], [
          "wasm",
          /_nowasm_fallback\.js$/,
        ]] as const
      ) {
        const from = here(`./node_modules/pdfjs-dist/${folder}`);
        for (const name of readdirSync(from).filter((name) => wanted.test(name))) {
          this.emitFile({
            type: "asset",
            fileName: `assets/pdf/${name}`,
            source: readFileSync(`${from}/${name}`),
          });
        }
      }
    },
  };
}

/** Cookies know no ports: who is signed in there is so here too. */
const DAEMON = `http://localhost:${Deno.env.get("HANDLER_PORT") ?? 7430}`;

/** What this page asks counts as the desk's own; what another page asks stays another's. */
function asOwnPage(proxy: HttpProxy.Server): void {
  proxy.on("proxyReq", (asked, { headers }) => {
    if (headers.origin === `http://${headers.host}`) asked.setHeader("origin", DAEMON);
  });
}

export default defineConfig({
  plugins: [svelte({ configFile: false }), documentData()],
  resolve: {
    alias: {
      "$client": here("../src/client/page.ts"),
      "$lib": here("./src/lib"),
      "$parts": here("./src/parts"),
      "$texts": here("./src/texts/mod.ts"),
    },
  },
  // `HANDLER_PORT=7431 deno task dev` beside a daemon: the page from here, everything it asks from there
  server: { proxy: { "/v1/": { target: DAEMON, changeOrigin: true, configure: asOwnPage } } },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // what several views share is one file, not one a part and icon: a file costs more than its bytes
          groups: [
            { name: "frame", test: FRAME, minShareCount: 2, priority: 2 },
            { name: "parts", test: /src.(parts|lib)/, minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
});
