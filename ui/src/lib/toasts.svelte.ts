import { errorFrom } from "./client.ts";

/** A short word to the person after something was done. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "good" | "bad" | "plain";
  /** What it is about: a newer word about the same stands in its place. */
  readonly about: string | null;
  /** What can be done about it: mostly taking it back. */
  readonly action: { readonly label: string; run(): unknown } | null;
}

const PLAIN_MS = 6_000;
/** Time enough to read, decide, and reach for the keyboard. */
const ACTION_MS = 15_000;

let next = 0;
let shown = $state.raw<readonly Toast[]>([]);

/** The words on the screen now. */
export function toasts(): readonly Toast[] {
  return shown;
}

/** Shows a word; one with something to do stays longer. */
export function toast(
  text: string,
  { tone = "good", about = null, action = null }: Partial<Pick<Toast, "tone" | "about" | "action">> = {},
): void {
  const one: Toast = { id: next++, text, tone, about, action };
  shown = [...shown.filter((other) => about === null || other.about !== about).slice(-3), one];
  setTimeout(() => dismiss(one.id), action ? ACTION_MS : PLAIN_MS);
}

/** Does what a word offers, in its place; what fails is said. */
export async function take({ id, action }: Toast): Promise<void> {
  dismiss(id);
  try {
    await action?.run();
  } catch (thrown) {
    toast(errorFrom(thrown).message, { tone: "bad" });
  }
}

/** Takes a word away. */
export function dismiss(id: number): void {
  shown = shown.filter((one) => one.id !== id);
}
