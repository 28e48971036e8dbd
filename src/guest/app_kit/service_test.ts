import assert from "node:assert/strict";
import { listen } from "../kit/mod.ts";
import { callService, ServiceError } from "./service.ts";

/** A service that speaks as the router does. */
async function withService(
  tool: (input: Record<string, unknown>) => Promise<{ readonly text: string }>,
  use: () => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "service-" });
  const options = { socket: `${folder}/echo.sock`, files: folder, log: () => {} };
  const server = listen({ echo_say: (input) => tool(input as Record<string, unknown>) }, options);
  Deno.env.set("HANDLER_SERVICES", folder);
  try {
    await use();
  } finally {
    Deno.env.delete("HANDLER_SERVICES");
    server.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const isError = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

Deno.test("a tool is called through its interface's socket", () =>
  withService(
    (input) => Promise.resolve({ text: `heard ${input.word}` }),
    async () => assert.deepEqual(await callService("echo_say", { word: "hello" }), { text: "heard hello" }),
  ));

Deno.test("a service's error comes with its code", () =>
  withService(
    () => Promise.reject(new Error("secret")),
    () => assert.rejects(callService("echo_say", {}), isError("unavailable")),
  ));

Deno.test("a call can be ended", () =>
  withService(
    () => new Promise(() => {}),
    async () => {
      const controller = new AbortController();
      const call = callService("echo_say", {}, { signal: controller.signal });
      controller.abort();
      await assert.rejects(call, isError("cancelled"));
    },
  ));

Deno.test("a service that the app did not ask for is unavailable, and why is said", async () => {
  await assert.rejects(callService("ocr_extract", {}), isError("unavailable"));
  await withService(
    () => Promise.resolve({ text: "" }),
    () => assert.rejects(callService("ocr_extract", {}), /needs\.services/),
  );
});
