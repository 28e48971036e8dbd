import { app } from "./app.ts";
import { serve } from "./vendor/handler_app.js";

await serve(app);
