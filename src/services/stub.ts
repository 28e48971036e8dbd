import { HandlerError, NAME_PATTERN, NAME_RULE } from "../base/mod.ts";
import { tomlString } from "../schema/mod.ts";
import type { Interface, ToolDefinition } from "./interface.ts";
import { KIT_DECLARATIONS } from "./stub/kit_declarations.ts";
import { memberName, pascal, TypeWriter } from "./stub/type_writer.ts";

/** The files of a stub: path in the connector's folder to text. */
export type StubFiles = Readonly<Record<string, string>>;

/**
 * A connector's skeleton for an interface (contract S.19): it compiles, starts and serves every tool, and each call fails
 * with `unavailable` until it is written. Types come from the schemas; the kit lies beside it, so that it needs nothing else.
 *
 * @param connector the new connector's name, which its folder must have
 * @param kit the text of the bundled kit, one JavaScript module
 * @throws {HandlerError} `usage` for a name that is none
 */
export function interfaceStub(definition: Interface, connector: string, kit: string): StubFiles {
  if (!NAME_PATTERN.test(connector)) {
    throw new HandlerError("usage", `a connector's name is ${NAME_RULE}, found ${JSON.stringify(connector)}`);
  }
  return {
    "connector.toml": manifest(definition, connector),
    "main.ts": mainModule(definition),
    "contract.ts": contractModule(definition),
    "kit/mod.js": `// @ts-self-types="./mod.d.ts"\n${kit}`,
    "kit/mod.d.ts": KIT_DECLARATIONS,
    "deno.json": DENO_JSON,
    "PROVISIONING.md": provisioning(definition, connector),
  };
}

const DENO_JSON = JSON.stringify(
  {
    imports: { "@handler/connector": "./kit/mod.js" },
    compilerOptions: { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  },
  null,
  2,
) + "\n";

function manifest({ id, description }: Interface, connector: string): string {
  return `apiVersion = "handler.connector/v1"
name = ${tomlString(connector)}
description = ${tomlString(description)}
implements = [${tomlString(id)}]

# The only places that the connector can reach, as host:port.
egress = []

# A secret that a binding fills; the connector reads it with required("EXAMPLE_API_KEY").
# [secretSlots.api_key]
# env = "EXAMPLE_API_KEY"
# required = true
# description = "where it comes from: see PROVISIONING.md"

# A plain value that a binding may set. With type = "url" its host and port become egress.
# [settings.model]
# env = "EXAMPLE_MODEL"
# description = "defaults to example-latest"
`;
}

function mainModule({ id, tools }: Interface): string {
  const handlers = tools.map(({ name, description }) =>
    `  // ${description.replace(/\s+/g, " ")}
  ${memberName(name)}(_input, call) {
    return call.fail("unavailable", "${name} is not written yet");
  },
`
  );
  return `import { serve } from "@handler/connector";
import type { Code, Tools } from "./contract.ts";

// A connector for ${id}. A handler returns the tool's output, or ends the call with call.fail(code, message).
serve<Tools, Code>({
${handlers.join("\n")}});
`;
}

function contractModule({ id, hash, errors, tools }: Interface): string {
  const kitTypes = new Set<string>();
  const declarations = tools.flatMap((tool) => toolDeclarations(tool, kitTypes));
  const imports = kitTypes.size === 0
    ? ""
    : `import type { ${[...kitTypes].sort().join(", ")} } from "@handler/connector";\n\n`;
  const members = tools.map(({ name }) => {
    const types = `readonly input: ${pascal(name)}Input; readonly output: ${pascal(name)}Output`;
    return `  readonly ${memberName(name)}: { ${types} };\n`;
  });
  const codes = Object.entries(errors).map(([code, meaning]) =>
    `  // ${meaning.replace(/\s+/g, " ")}\n  | ${JSON.stringify(code)}\n`
  );
  return `// Written from ${id} (${hash.slice(0, 12)}). The interface is frozen, so this file never changes.
${imports}/** The errors that the connector may end a call with. */
export type Code =
${codes.join("").trimEnd()};

/** What each tool takes and gives. */
export interface Tools {
${members.join("")}}

${declarations.join("\n")}`;
}

function toolDeclarations(
  { name, inputSchema, outputSchema }: ToolDefinition,
  kitTypes: Set<string>,
): string[] {
  return ([["Input", inputSchema], ["Output", outputSchema]] as const).map(([direction, schema]) => {
    const writer = new TypeWriter(schema, pascal(name) + direction);
    const text = writer.declarations();
    for (const type of writer.kitTypes) kitTypes.add(type);
    return text;
  });
}

function provisioning({ name }: Interface, connector: string): string {
  return `# A binding for \`${connector}\`

Say here how a person gets the key with the least rights that this connector needs, and how it is taken back.

    # bindings/${connector}.toml
    apiVersion = "handler.binding/v1"
    connector = "${connector}"
    description = "…"

An agent uses it with \`services = { ${name} = "${connector}" }\`.
`;
}
