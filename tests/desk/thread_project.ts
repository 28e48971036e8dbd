import type { SystemHome } from "../system/home.ts";

/** Definitions of a project: an agent whose function does what it is told, and one that has children. */
const FILES: Readonly<Record<string, string>> = {
  "agents/agents/worker.ts": `export default defineAgent({
  name: "worker",
  description: "Does what it is told",
  exposeAsTool: true,
  toolDescription: "Does what it is told",
  sideA: { handler: "work" },
  sideB: { human: true },
});
`,
  "agents/handlers/work.ts": `const said = (content, more) => ({ role: "assistant", content, ...more });

export default defineHandler({
  description: "Does what it is told",
  execute: async (state, message) => {
    switch (message.content) {
      case "fail":
        if (!(await state.getValue("mended"))) throw new Error("the shelf is empty");
        return await state.injectMessage(said("mended"));
      case "mend":
        return await state.setValue("mended", true);
      case "whisper":
        await state.injectMessage(said("nobody hears this", { silent: true }));
        return await state.injectMessage(said("that was quiet"));
      case "later":
        await state.scheduleEffect("remind", { n: 1 }, 3_600_000);
        return await state.injectMessage(said("in an hour"));
      case "write":
        await state.writeFile("/notes/list.txt", "flour and eggs", "text/plain");
        return await state.injectMessage(said("written", { attachments: ["/notes/list.txt"] }));
      case "wait":
        await state.emit("waiting", { until: "you stop me" });
        return await new Promise((go) => state.execution?.abortSignal.addEventListener("abort", go));
      default:
        return await state.injectMessage(said("did " + message.content));
    }
  },
});
`,
  "agents/effects/remind.ts": `export default defineEffect("comes later", async (state) => {
  await state.injectMessage({ role: "assistant", content: "it is time" });
});
`,
  "agents/agents/clerk.ts": `export default defineAgent({
  name: "clerk",
  description: "Answers with a model",
  sideA: { prompt: "clerk", stopOnResponse: true },
  sideB: { human: true },
});
`,
  "agents/prompts/clerk.ts": `export default definePrompt({
  name: "clerk",
  toolDescription: "Answers",
  prompt: "Answer.",
  model: "small_model",
  includeChat: true,
});
`,
  "agents/models/small_model.ts": `export default defineModel({ name: "small_model", model: "small" });
`,
  "agents/agents/family.ts": `export default defineAgent({
  name: "family",
  description: "Has a child",
  sideA: { handler: "work", subagents: [{ agent: "worker", maxInstances: 1, immediate: true }] },
  sideB: { human: true },
});
`,
};

/** Writes the definitions into the folder of the project `desk`. */
export async function layThreadProject({ work }: SystemHome): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) {
    const file = `${work}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}
