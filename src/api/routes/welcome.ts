import { data, made, type Route } from "../route.ts";
import type { WelcomeOperations } from "../welcome_ports.ts";

/** First steps of somebody new. */
export function welcomeRoutes(operations: WelcomeOperations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/welcome", handle: async () => data(await operations.welcome()) },
    {
      method: "POST",
      path: "/v1/welcome/reader",
      handle: async () => data(await operations.welcomeReader()),
    },
    {
      method: "POST",
      path: "/v1/welcome/app",
      async handle() {
        const app = await operations.welcomeApp();
        return made(app, `/v1/apps/${app.name}`);
      },
    },
    {
      method: "POST",
      path: "/v1/welcome/thread",
      async handle() {
        const thread = await operations.welcomeThread();
        return made(thread, `/v1/threads/${thread.id}`);
      },
    },
  ];
}
