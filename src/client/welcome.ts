import type { WelcomeOperations } from "../api/mod.ts";
import type { Transport } from "./transport.ts";

/** First steps of somebody new, asked of the daemon. */
export function welcomeClient(transport: Transport): WelcomeOperations {
  const start = <T>(what: string) => transport.ask<T>(`welcome/${what}`, { method: "POST" });
  return {
    welcome: () => transport.ask("welcome"),
    welcomeReader: () => start("reader"),
    welcomeApp: () => start("app"),
    welcomeThread: () => start("thread"),
  };
}
