type Schema = Readonly<Record<string, unknown>>;

const object = (properties: Schema): Schema => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});
const list = (items: Schema): Schema => ({ type: "array", items });

const TEXT = object({ text: { type: "string" } });
const COUNT = { type: "integer", minimum: 0 };
const BOX = { type: "array", items: { type: "number" }, minItems: 4, maxItems: 4 };
const BLOCK = object({ text: { type: "string" }, bbox: BOX });
const PAGE = object({ text: { type: "string" }, blocks: list(BLOCK) });

const TOOLS = {
  echo: [{ name: "echo_typed", description: "Gives a text back.", inputSchema: TEXT, outputSchema: TEXT }],
  bulk: [
    {
      name: "bulk_pages",
      description: "Gives pages of text with blocks, as OCR does.",
      inputSchema: object({ pages: COUNT }),
      outputSchema: object({ pages: list(PAGE) }),
    },
    {
      name: "bulk_file",
      description: "Counts the bytes of a file.",
      inputSchema: object({ path: { type: "string", format: "handler-file" } }),
      outputSchema: object({ bytes: COUNT }),
    },
  ],
} as const;

/** The tools of both interfaces, on the kit that every connector is written with. */
export const CONNECTOR = `import { serve } from "@handler/connector";

const blocks = Array.from({ length: 50 }, (_, i) => ({ text: "a line of the page " + i, bbox: [i, i + 1, i + 2.5, i + 3] }));
const page = { text: blocks.map((block) => block.text).join("\\n"), blocks };

serve({
  echo_typed: (input) => ({ text: input.text }),
  bulk_pages: (input) => ({ pages: Array.from({ length: input.pages }, () => page) }),
  bulk_file: async (input) => {
    let bytes = 0;
    for await (const chunk of await input.path.stream()) bytes += chunk.length;
    return { bytes };
  },
});
`;

const CASE = {
  echo: `tool = "echo_typed"\ninput = { text = "hello" }\nexpect.contains = ["hello"]`,
  bulk: `tool = "bulk_pages"\ninput = { pages = 1 }\nexpect.contains = ["a line of the page 1"]`,
} as const;

/** The files of `echo/v1` and `bulk/v1` below a folder of interfaces. */
export function interfaceFiles(folder: string): Readonly<Record<string, string>> {
  return { ...filesOf("echo", folder), ...filesOf("bulk", folder) };
}

function filesOf(name: keyof typeof TOOLS, folder: string): Readonly<Record<string, string>> {
  const at = `${folder}/${name}/v1`;
  const tools = TOOLS[name].map((tool) => `\`${tool.name}\``).join(" and ");
  return {
    [`${at}/interface.toml`]: `apiVersion = "handler.interface/v1"
name = "${name}"
version = 1
description = "For measuring"

[limits]
maxConcurrent = 64
maxFileBytes = 100_000_000

[errors]
unavailable = "nothing answers; try again later"
`,
    [`${at}/tools.json`]: JSON.stringify(TOOLS[name], null, 1),
    [`${at}/skills/${name}/SKILL.md`]: `---
name: ${name}
description: For measuring.
---

${tools} give back what they get. On \`unavailable\` try again later.
`,
    [`${at}/conformance/cases.toml`]: `[[case]]\nname = "answers"\n${
      CASE[name]
    }\n\n[[unprovoked]]\nerror = "unavailable"\nwhy = "it never is"\n`,
  };
}
