import * as notes from "./notes.ts";
import type { App } from "./vendor/handler_app.js";

/** What the backend is: the shape of its data, and what it answers. */
export const app: App = {
  migrations: new URL("./migrations/", import.meta.url),
  routes: {
    "GET /api/notes": notes.list,
    "POST /api/notes": notes.add,
    "PUT /api/notes/:id": notes.change,
    "DELETE /api/notes/:id": notes.remove,
  },
};
