import { median, rounded } from "./stats.ts";
import { machineBusyMs, ownBusyMs } from "./machine.ts";

/** One round over all ways: what each gave, and how many cores other programs took meanwhile. */
export interface Round<Way extends string, Result> {
  readonly results: Readonly<Record<Way, Result>>;
  readonly foreign: number;
}

/** How long to go on. */
export interface RoundsOptions {
  readonly rounds: number;
  /** No new round begins after so many milliseconds, once the least are done. */
  readonly limitMs: number;
  /** Three, where it is not said. */
  readonly least?: number;
}

/** Runs every way once a round, in random order, so that noise meets all alike. */
export async function interleaved<Way extends string, Result>(
  ways: Readonly<Record<Way, () => Promise<Result>>>,
  { rounds, limitMs, least = 3 }: RoundsOptions,
): Promise<Round<Way, Result>[]> {
  const done: Round<Way, Result>[] = [];
  const end = performance.now() + limitMs;
  while (done.length < rounds && (done.length < least || performance.now() < end)) {
    done.push(await oneRound(ways));
  }
  return done;
}

async function oneRound<Way extends string, Result>(
  ways: Readonly<Record<Way, () => Promise<Result>>>,
): Promise<Round<Way, Result>> {
  const results: Partial<Record<Way, Result>> = {};
  const began = performance.now(), machine = machineBusyMs(), own = ownBusyMs();
  for (const way of shuffled(Object.keys(ways) as Way[])) results[way] = await ways[way]();
  const wall = performance.now() - began;
  const foreign = Math.max(0, machineBusyMs() - machine - (ownBusyMs() - own)) / wall;
  return { results: results as Record<Way, Result>, foreign };
}

function shuffled<T>(list: readonly T[]): T[] {
  return list.map((item) => ({ item, at: Math.random() })).sort((a, b) => a.at - b.at).map(({ item }) =>
    item
  );
}

/** The quieter half of the rounds, and of the others those that nearly nothing disturbed. */
export function quieter<T extends { readonly foreign: number }>(rounds: readonly T[]): T[] {
  const sorted = [...rounds].sort((a, b) => a.foreign - b.foreign);
  return sorted.filter(({ foreign }, index) => index < Math.ceil(rounds.length / 2) || foreign < 0.1);
}

/** How many cores other programs took, in the middle of these rounds. */
export function foreignCores(rounds: readonly { readonly foreign: number }[]): number {
  return rounded(median(rounds.map(({ foreign }) => foreign)));
}
