import { coachApp } from "./app.ts";
import { notify, serve } from "./vendor/handler_app.js";

await serve(coachApp({ tell: notify, now: () => new Date() }));
