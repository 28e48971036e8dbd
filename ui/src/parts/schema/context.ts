import type { HandlerError, Json } from "$client";
import type { Schema } from "$lib/schema.ts";

/** What every control of a form made of a schema shares. */
export interface FormContext {
  /** The whole schema, which references lead into. */
  readonly root: Schema;
  /** Takes a file in. @returns its name */
  readonly upload: (file: File) => Promise<string>;
  /** Files that were taken in before. */
  readonly files: readonly string[];
  /** What is wrong at a place, as a JSON pointer: `/messages/0/role`. */
  readonly problemsAt: (path: string) => readonly HandlerError[];
}

/** What each control is given. */
export interface ControlProps {
  readonly schema: Json | undefined;
  readonly context: FormContext;
  readonly label: string;
  readonly path: string;
  readonly required: boolean;
  value: Json | undefined;
}
