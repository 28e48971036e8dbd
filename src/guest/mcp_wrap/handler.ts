import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import type { Call, Handlers } from "../kit/mod.ts";
import { mapArguments } from "./arguments.ts";
import type { WrappedTool } from "./config.ts";
import { fill, type TemplateSource } from "./template.ts";
import type { Upstream, UpstreamResult } from "./upstream.ts";

/** The handler of one tool of the interface, by way of one of the wrapped server's. */
export function makeHandler(mapping: WrappedTool, upstream: Pick<Upstream, "call">): Handlers[string] {
  return async (input, call) => {
    const result = await ask(mapping, await mapArguments(input, mapping), upstream, call);
    if (result.isError) return failed(result, mapping, call);
    const output = fill(mapping.result, sourceOf(result));
    if (!isObject(output)) {
      call.log(`the result of ${mapping.tool} does not fit the template of connector.toml`);
      return call.fail("unavailable", "the service's answer is not of the expected form");
    }
    return output as JsonObject;
  };
}

async function ask(
  mapping: WrappedTool,
  args: Record<string, unknown>,
  upstream: Pick<Upstream, "call">,
  call: Call,
): Promise<UpstreamResult> {
  try {
    return await upstream.call(mapping.tool, args, call);
  } catch (error) {
    call.signal.throwIfAborted();
    // its message may hold the server's own words about the input, so only what kind of error it is
    const { name, code } = error as { name?: unknown; code?: unknown };
    call.log(`${mapping.tool} failed: ${name}${code === undefined ? "" : ` (${code})`}`);
    return call.fail("unavailable", "the service failed or could not be reached");
  }
}

/** Handler's own form of an error is passed on; the router lets declared codes through and no others. */
function failed(result: UpstreamResult, mapping: WrappedTool, call: Call): never {
  const declared = parsed(textOf(result.content));
  if (
    isObject(declared) && typeof declared["error"] === "string" && typeof declared["message"] === "string"
  ) {
    return call.fail(declared["error"], declared["message"]);
  }
  call.log(`${mapping.tool} answered with an error`);
  return call.fail("unavailable", "the service reported an error");
}

function sourceOf({ structuredContent, content }: UpstreamResult): TemplateSource {
  const text = textOf(content);
  return { data: structuredContent ?? parsed(text), content, text };
}

function textOf(content: readonly unknown[]): string {
  const texts = content.map((block) =>
    isObject(block) && block["type"] === "text" ? block["text"] : undefined
  );
  return texts.filter((text) => typeof text === "string").join("\n");
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
