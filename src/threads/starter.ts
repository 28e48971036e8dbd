import { ensureFolder, statIfThere, writePlain } from "../platform/mod.ts";

/** The agent of {@linkcode STARTER}. */
export const STARTER_AGENT = "shopping_list";

/** A first agent that needs no model: it keeps a list, and reads it out when it is asked to. */
const STARTER: Readonly<Record<string, string>> = {
  [`agents/agents/${STARTER_AGENT}.ts`]: `import { defineAgent } from "@standardagents/spec";

/** Who speaks with whom: side A is the function in ../handlers/keep_list.ts, side B is you. */
export default defineAgent({
  name: "${STARTER_AGENT}",
  description: "Keeps a shopping list: tell it what to buy, and say “list” to hear it",
  sideA: { handler: "keep_list" },
  sideB: { human: true },
});
`,
  "agents/handlers/keep_list.ts": `import { defineHandler } from "@standardagents/spec";

/** Called once for each message of yours; what it keeps is on disk before it answers. */
export default defineHandler({
  description: "Takes down what is said, and reads the list out when it is asked for",
  execute: async (state, message) => {
    const said = (message.content ?? "").trim();
    const list = (await state.getValue<string[]>("list")) ?? [];
    if (said.toLowerCase() === "list") {
      const answer = list.length === 0 ? "Nothing is on the list yet" : \`To buy: \${list.join(", ")}\`;
      return await state.injectMessage({ role: "assistant", content: answer });
    }
    await state.setValue("list", [...list, said]);
    await state.injectMessage({ role: "assistant", content: \`Noted: \${said}. That makes \${list.length + 1}.\` });
  },
});
`,
};

/**
 * Writes a first agent into a project's folder, where there are no definitions yet.
 * @returns whether it was written
 */
export async function writeStarter(folder: string): Promise<boolean> {
  if (await statIfThere(`${folder}/agents`)) return false;
  for (const [path, text] of Object.entries(STARTER)) {
    const file = `${folder}/${path}`;
    await ensureFolder(file.slice(0, file.lastIndexOf("/")), 0o755);
    await writePlain(file, text);
  }
  return true;
}
