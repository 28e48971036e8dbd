import type { ThreadState } from "../../spec/state.ts";
import type { Place } from "./place.ts";

/** Methods of a ThreadState by name, each made from the place it is asked at. */
export type Methods<Name extends keyof ThreadState> = {
  readonly [N in Name]: (at: Place) => ThreadState[N];
};
