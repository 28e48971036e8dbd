import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The frame of every view; what only some views need, such as plots, stays apart. */
const SHARED = /src.(parts|lib|texts)|node_modules.*(svelte|lucide)/;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  resolve: {
    alias: {
      "$client": here("../src/client/page.ts"),
      "$lib": here("./src/lib"),
      "$parts": here("./src/parts"),
      "$texts": here("./src/texts/mod.ts"),
    },
  },
  // `HANDLER_PORT=7431 deno task dev` beside a daemon: the page from here, everything it asks from there
  server: { proxy: { "/v1/": `http://localhost:${Deno.env.get("HANDLER_PORT") ?? 7430}` } },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // what several views share is one file, not one a part and icon: a file costs more than its bytes
          groups: [{ name: "shared", test: SHARED, minShareCount: 2 }],
        },
      },
    },
  },
});
