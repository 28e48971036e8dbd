// The one backend every peer is measured with: three tools, no work of their own.
// echo: content only.  echo_typed: input and output schema, structuredContent.  sleep: cancellable.
import { appendFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const text = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};

export const tools = [
  { name: "echo", description: "Returns its text.", inputSchema: text },
  { name: "echo_typed", description: "Returns its text, typed.", inputSchema: text, outputSchema: text },
  {
    name: "sleep",
    description: "Answers after ms milliseconds.",
    inputSchema: {
      type: "object",
      properties: { ms: { type: "number" }, tag: { type: "string" } },
      required: ["ms"],
    },
  },
];

// Peers pass no environment on, so the log is a file beside this one: kept when it is there.
const log = join(dirname(fileURLToPath(import.meta.url)), "backend.log");
const note = (line) => existsSync(log) && appendFileSync(log, line + "\n");

export async function call(name, args, signal) {
  if (name === "echo") return { content: [{ type: "text", text: args.text }] };
  if (name === "echo_typed") {
    return {
      content: [{ type: "text", text: JSON.stringify({ text: args.text }) }],
      structuredContent: { text: args.text },
    };
  }
  if (name === "sleep") {
    note(`start ${args.tag}`);
    const done = await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), args.ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        note(`aborted ${args.tag}`);
        resolve(false);
      });
    });
    note(`end ${args.tag} ${done}`);
    return { content: [{ type: "text", text: done ? "slept" : "aborted" }] };
  }
  throw new Error(`no tool ${name}`);
}
