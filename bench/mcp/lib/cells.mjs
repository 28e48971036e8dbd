// What is measured. A cell: tool, payload, calls in flight, calls a round, most milliseconds a round.
const KB = "x".repeat(1024), MB = "x".repeat(1 << 20);

const CELLS = [
  { cell: "1k-1", tool: "echo", text: KB, flight: 1, count: 250, ms: 4000 },
  { cell: "1k-32", tool: "echo", text: KB, flight: 32, count: 1200, ms: 5000 },
  { cell: "typed-1", tool: "echo_typed", text: KB, flight: 1, count: 200, ms: 1500 },
  { cell: "typed-32", tool: "echo_typed", text: KB, flight: 32, count: 960, ms: 2000 },
  { cell: "1m-1", tool: "echo", text: MB, flight: 1, count: 170, ms: 3500, large: true },
  { cell: "1m-32", tool: "echo", text: MB, flight: 32, count: 64, ms: 4000, large: true },
];

/** How much of the direct call is measured right before each batch of a peer, to be its pair. */
export const PAIR = { "1k-1": 60, "1k-32": 320, "typed-1": 60, "typed-32": 320, "1m-1": 25, "1m-32": 32 };

/** The cells of these names, with a share of their calls. */
export function cellsOf(names, share) {
  return names.map((name) => {
    const cell = CELLS.find(({ cell }) => cell === name);
    if (!cell) throw new Error(`there is no cell ${name}, only ${CELLS.map(({ cell }) => cell).join(", ")}`);
    return { ...cell, count: Math.max(cell.flight, Math.round(cell.count * share)) };
  });
}
