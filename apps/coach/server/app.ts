import { checkIn, list, settle } from "./days.ts";
import { type Morning, morning } from "./morning.ts";
import type { App } from "./vendor/handler_app.js";

/** What the backend is; tests give a clock and ears of their own. */
export function coachApp(outside: Morning): App {
  return {
    migrations: new URL("./migrations/", import.meta.url),
    routes: {
      "GET /api/days": list,
      "POST /api/checkin": (call) => checkIn(call, outside.now()),
      "PUT /api/days/:day": settle,
      // an automation calls this each morning
      "POST /api/cron/morning": (call) => morning(call.db, outside),
    },
  };
}
