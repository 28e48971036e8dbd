import { findModelServer, type ModelServer, startSmallModel } from "./model.ts";

/** A model for the demo, and how to end it. */
export interface DemoModel extends ModelServer {
  /** Whether the demo started it: the small model, in place of one that a person has. */
  readonly small: boolean;
  close(): Promise<void>;
}

/** The model server that a person has named, else the small one where it has been fetched, else nothing. */
export async function startModel(): Promise<DemoModel | undefined> {
  const own = await findModelServer();
  if (own) return { ...own, small: false, close: () => Promise.resolve() };
  const small = await startSmallModel();
  return small && { ...small, small: true };
}
