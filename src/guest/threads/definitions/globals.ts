import {
  defineAgent,
  defineEffect,
  defineHandler,
  defineHook,
  defineModel,
  definePrompt,
  defineProvider,
  defineTool,
} from "../../spec/mod.ts";

/** Lets definitions use the `define` functions without importing them. */
export function provideGlobals(): void {
  const functions = {
    defineAgent,
    defineEffect,
    defineHandler,
    defineHook,
    defineModel,
    definePrompt,
    defineProvider,
    defineTool,
  };
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
