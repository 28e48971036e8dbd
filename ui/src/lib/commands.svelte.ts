import { untrack } from "svelte";

/** Something that the palette can do. */
export interface Command {
  /** What the person reads and searches. */
  readonly label: string;
  /** What kind it is: a place, an agent, an app. */
  readonly group: string;
  /** Keys, as `g a`, shown beside it and listed by `?`. */
  readonly keys?: string;
  run(): unknown;
}

type Source = () => readonly Command[];

let sources = $state.raw<readonly Source[]>([]);

/** All commands there are now, the last view's own first. */
export function commands(): readonly Command[] {
  return sources.toReversed().flatMap((source) => source());
}

/** Offers commands as long as the component that calls this is there. Call it while the component is made. */
export function offer(source: Source): void {
  $effect(() => {
    untrack(() => sources = [...sources, source]);
    return () => sources = sources.filter((one) => one !== source);
  });
}
