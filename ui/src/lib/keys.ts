import { commands } from "./commands.svelte.ts";

/** How long the second key of `g a` may take. */
const SECOND_MS = 1_200;

/** Whether keys are a person's text and no shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element?.closest?.("input, textarea, select, [contenteditable]");
}

/** Runs the command whose keys are pressed: one key, or two after each other. Gives what ends that. */
export function listenKeys(): () => void {
  let first = "", until = 0;
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Shift" || isTyping(event.target)) {
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    const keys = event.timeStamp < until ? `${first} ${event.key}` : event.key;
    const found = commands().find((one) => one.keys === keys);
    first = event.key;
    until = found || keys !== event.key ? 0 : event.timeStamp + SECOND_MS;
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}
