import { ServiceClient, type ToolOutcome } from "../commands/client.ts";
import { variable } from "./environment.ts";

/** A service's own error. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Calls a tool through the socket of its interface; tools are named `<interface>_<verb>`. */
export async function callService<T = unknown>(
  tool: string,
  input: unknown,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  using client = await connect(tool);
  const outcome = await ask(client, tool, input, signal);
  if (outcome.ok) return outcome.structured as T;
  throw new ServiceError(outcome.code, outcome.message);
}

async function connect(tool: string): Promise<ServiceClient> {
  const folder = variable("HANDLER_SERVICES");
  const name = tool.split("_")[0];
  try {
    if (folder === undefined) throw new Error("Handler did not start this app");
    return await ServiceClient.connect(`${folder}/${name}.sock`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `the service ${name} cannot be reached; needs.services in app.toml must name it (${why})`;
    throw new ServiceError("unavailable", message);
  }
}

async function ask(
  client: ServiceClient,
  tool: string,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    signal.throwIfAborted();
    return await client.call(tool, input, signal);
  } catch (error) {
    if (signal.aborted) {
      throw new ServiceError("cancelled", `the call of ${tool} was ended before it was done`);
    }
    throw new ServiceError("unavailable", error instanceof Error ? error.message : String(error));
  }
}
