import { type Reading, Receipts } from "./receipts.ts";
import type { App } from "./vendor/handler_app.js";

/** What the backend is; tests give a reader of their own. */
export function receiptsApp(reading: Reading): App {
  const receipts = new Receipts(reading);
  return {
    migrations: new URL("./migrations/", import.meta.url),
    routes: {
      "GET /api/receipts": (call) => receipts.list(call),
      "POST /api/receipts": (call) => receipts.add(call),
      "GET /api/receipts/:id/file": (call) => receipts.file(call),
      "POST /api/receipts/:id/read": (call) => receipts.readAgain(call),
      "PUT /api/receipts/:id": (call) => receipts.correct(call),
      "DELETE /api/receipts/:id": (call) => receipts.remove(call),
    },
  };
}
