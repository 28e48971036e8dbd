// Turns one after another, then many at once, each for so long; one line of JSON.
const ms = Number(process.env.BENCH_MS ?? 3000), flight = Number(process.env.BENCH_FLIGHT ?? 100);

export async function measure(name, turn) {
  let id = 0;
  const base = Date.now().toString(36);
  const run = async (limit, lanes) => {
    const samples = [];
    const began = performance.now();
    await Promise.all(Array.from({ length: lanes }, async () => {
      while (performance.now() - began < limit) {
        const at = performance.now(), text = `m${base}-${id++}`;
        const out = await turn(text);
        if (out !== text.toUpperCase()) throw new Error(`bad answer ${JSON.stringify(out)}`);
        samples.push(performance.now() - at);
      }
    }));
    const wall = performance.now() - began;
    samples.sort((a, b) => a - b);
    return { p50: samples[samples.length >> 1], perSecond: samples.length / wall * 1000 };
  };
  await run(ms / 4, 1);
  const one = await run(ms, 1);
  const many = await run(ms, flight);
  console.log(JSON.stringify({ name, p50: one.p50, perSecond: many.perSecond }));
}
