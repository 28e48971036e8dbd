import { receiptsApp } from "./app.ts";
import { callService, dataFolder, serve } from "./vendor/handler_app.js";

await serve(receiptsApp({
  folder: dataFolder,
  readPages: async (path) => {
    const { pages } = await callService<{ pages: { text: string }[] }>("ocr_extract", { path });
    return pages.map(({ text }) => text).join("\n");
  },
}));
