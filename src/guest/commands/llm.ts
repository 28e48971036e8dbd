import { parseArgs } from "node:util";
import { errorText, utf8Text } from "../../base/mod.ts";
import { cancellable, report } from "./call.ts";
import { ServiceClient, type ToolOutcome } from "./client.ts";
import { type GuestEnvironment, processEnvironment, servicesHere, serviceSocket } from "./environment.ts";
import { listed } from "./service.ts";

const USAGE = `Usage: handler-llm [options] PROMPT
       handler-llm [options] -          (the prompt comes from stdin)

Asks the model that is bound to the service llm and prints its answer.

Options:
  --system TEXT        what the model is told before the prompt
  --model NAME         a model of the bound provider; its default otherwise
  --max-tokens N       the most tokens of the answer
  --temperature X      0 for the same answer again, higher for more variety
  --schema JSON        a JSON Schema; the answer is then JSON that fits it
  --json               print the whole result as JSON
`;

const OPTIONS = {
  system: { type: "string" },
  model: { type: "string" },
  "max-tokens": { type: "string" },
  temperature: { type: "string" },
  schema: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Asks the bound model. @returns the exit code, as of `handler-call` */
export async function main(args: readonly string[]): Promise<number> {
  return await runLlm(processEnvironment(args));
}

/** As {@linkcode main}, in given surroundings. */
export async function runLlm(guest: GuestEnvironment): Promise<number> {
  const asked = await readCommandLine(guest);
  if (typeof asked === "number") return asked;
  const path = serviceSocket(guest, "llm");
  if (!path) {
    guest.err(`handler-llm: no service "llm" here; ${listed(servicesHere(guest))}\n`);
    return 5;
  }
  try {
    using client = await ServiceClient.connect(path);
    const outcome = await cancellable((signal) => client.call("llm_complete", asked.input, signal));
    return report(guest, "handler-llm", asked.wantsJson ? jsonOnly(outcome) : outcome, asked.json);
  } catch (error) {
    guest.err(`handler-llm: handlerd cannot be reached: ${errorText(error)}\n`);
    return 3;
  }
}

interface Asked {
  readonly input: Record<string, unknown>;
  readonly json: boolean;
  readonly wantsJson: boolean;
}

async function readCommandLine(guest: GuestEnvironment): Promise<Asked | number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...guest.args],
      options: OPTIONS,
      allowPositionals: true,
    });
    if (values.help) {
      guest.out(USAGE);
      return 0;
    }
    if (positionals.length === 0) throw new Error("a prompt is missing");
    const prompt = positionals.length === 1 && positionals[0] === "-"
      ? await readStdin(guest)
      : positionals.join(" ");
    return {
      input: inputOf(values, prompt),
      json: values.json ?? false,
      wantsJson: values.schema !== undefined && !values.json,
    };
  } catch (error) {
    guest.err(`handler-llm: ${errorText(error)}\n\n${USAGE}`);
    return 2;
  }
}

function inputOf(values: { readonly [name: string]: string | boolean | undefined }, prompt: string) {
  const number = (name: string) => {
    if (values[name] === undefined) return undefined;
    const value = Number(values[name]);
    if (!Number.isFinite(value)) throw new Error(`--${name} is a number, found "${values[name]}"`);
    return value;
  };
  const all = {
    messages: [{ role: "user", content: prompt }],
    system: values.system,
    model: values.model,
    maxTokens: number("max-tokens"),
    temperature: number("temperature"),
    schema: values.schema,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** With a schema the answer is the JSON itself. */
function jsonOnly(outcome: ToolOutcome): ToolOutcome {
  if (!outcome.ok) return outcome;
  const { json } = outcome.structured as { json?: unknown };
  return json === undefined
    ? outcome
    : { ...outcome, structured: { text: typeof json === "string" ? json : JSON.stringify(json) } };
}

async function readStdin(guest: GuestEnvironment): Promise<string> {
  const parts: number[] = [];
  const buffer = new Uint8Array(64 * 1024);
  for (let count = await guest.stdin.read(buffer); count !== null; count = await guest.stdin.read(buffer)) {
    for (const byte of buffer.subarray(0, count)) parts.push(byte);
  }
  return utf8Text(new Uint8Array(parts));
}
