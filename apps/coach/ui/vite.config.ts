import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** While the page is developed, what Handler does for it: `/api/` goes to the backend, with the person's name. */
const backend = {
  target: { socketPath: "../.dev/app.sock", host: "localhost" },
  headers: { "x-handler-person": "owner" },
};

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  server: { proxy: { "/api/": backend } },
  build: {
    // one script, one stylesheet, images inside: Handler makes a single document of them where it has to
    assetsInlineLimit: 1_000_000,
    cssCodeSplit: false,
    modulePreload: false,
    target: "es2022",
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
