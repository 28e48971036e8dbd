import { median } from "../measure/stats.ts";

/** One cell of one peer, as `bench/mcp/lib/report.mjs` digests it. */
export interface Cell {
  readonly p50_us: number;
  readonly base_p50_us: number;
  readonly added_p50_us: number;
  readonly calls_per_s: number;
}

interface Entry {
  readonly group: "base" | "floor" | "peer" | "product";
  readonly cells: Readonly<Record<string, Cell>>;
  readonly round_p50_us: Readonly<Record<string, readonly (number | null)[]>>;
  readonly round_foreign: Readonly<Record<string, readonly (number | null)[]>>;
}

interface Results {
  readonly failed: Readonly<Record<string, string>>;
  readonly peers: Readonly<Record<string, Entry>>;
}

/** The results of `bench/mcp/bench.mjs`. */
export class PeersReport {
  readonly #results: Results;

  constructor(results: Results) {
    this.#results = results;
  }

  has(peer: string): boolean {
    return Object.hasOwn(this.#results.peers, peer);
  }

  /** The cell of a peer. @throws where the peer did not run, or no call of it was answered */
  entry(peer: string, cell: string): Cell {
    const found = this.#results.peers[peer]?.cells[cell];
    if (!found || !Number.isFinite(found.p50_us)) {
      throw new Error(`${peer} gave no figures: ${this.#results.failed[peer] ?? JSON.stringify(found)}`);
    }
    return found;
  }

  /** The gateways that ran and answered, quickest first. */
  gateways(): readonly string[] {
    return Object.entries(this.#results.peers)
      .filter(([, { group, cells }]) => group === "peer" && Number.isFinite(cells["typed-1"]?.p50_us))
      .sort(([, a], [, b]) => a.cells["typed-1"]!.added_p50_us - b.cells["typed-1"]!.added_p50_us)
      .map(([name]) => name);
  }

  /** The peers that did not run, and why. */
  absent(): readonly { readonly peer: string; readonly why: string }[] {
    return Object.entries(this.#results.failed).map(([peer, why]) => ({ peer, why: `${peer}: ${why}` }));
  }

  /** The whole time of one peer over another's, each round on its own; the median of the quieter rounds. */
  wholeRatio(peer: string, other: string, cell: string): number {
    const [a, b] = [peer, other].map((name) => this.#results.peers[name]!);
    const rounds = (a!.round_p50_us[cell] ?? []).map((mine, at) => ({
      ratio: (mine ?? NaN) / (b!.round_p50_us[cell]?.[at] ?? NaN),
      foreign: Math.max(a!.round_foreign[cell]?.[at] ?? 9, b!.round_foreign[cell]?.[at] ?? 9),
    })).filter(({ ratio }) => Number.isFinite(ratio)).sort((x, y) => x.foreign - y.foreign);
    return median(rounds.slice(0, Math.ceil(rounds.length / 2)).map(({ ratio }) => ratio));
  }
}

/** Reads the results from their file. */
export async function readReport(path: string): Promise<PeersReport> {
  return new PeersReport(JSON.parse(await Deno.readTextFile(path)));
}
