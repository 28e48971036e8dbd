import assert from "node:assert/strict";
import { HandlerRefused, notify } from "./notify.ts";

/** Handler's side of the socket. */
async function withHandler(
  answer: (request: Request) => Promise<Response>,
  use: () => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "notify-" });
  const server = Deno.serve({ path: `${folder}/api.sock`, onListen() {} }, answer);
  Deno.env.set("HANDLER_APP_API", `${folder}/api.sock`);
  try {
    await use();
  } finally {
    Deno.env.delete("HANDLER_APP_API");
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a notice reaches Handler as it is", async () => {
  const got: unknown[] = [];
  const notice = { title: "Good morning", text: "Wie geht’s? ☀", link: "/today", person: "alice" };
  await withHandler(async (request) => {
    got.push([request.method, new URL(request.url).pathname, await request.json()]);
    return new Response(null, { status: 204 });
  }, () => notify(notice));
  assert.deepEqual(got, [["POST", "/notify", notice]]);
});

Deno.test("Handler's no has its words", () =>
  withHandler(
    () => Promise.resolve(Response.json({ error: "limit", message: "too many notices" }, { status: 429 })),
    () =>
      assert.rejects(
        notify({ title: "a", text: "b" }),
        (error: HandlerRefused) => error.status === 429 && error.message === "too many notices",
      ),
  ));

Deno.test("without Handler a notice is printed", async () => {
  const { error } = console;
  const lines: string[] = [];
  console.error = (line: string) => lines.push(line);
  try {
    await notify({ title: "Good morning", text: "How are you?" });
  } finally {
    console.error = error;
  }
  assert.deepEqual(lines, ["notice for owner: Good morning: How are you?"]);
});
