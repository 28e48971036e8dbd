import type { Row } from "./report.ts";

/** One bar: what was measured, or what stood beside it. */
interface Bar {
  readonly name: string;
  readonly value: number;
  readonly own: boolean;
}

const WIDTH = 560, NAMES = 190, HEIGHT = 22, GAP = 6;

/**
 * All rows as one page that needs nothing else: per bench its rows, each with its goal, whether it holds, and bars of
 * the value beside its peers' (the value over the ratio), in the row's own unit.
 */
export function pageOf(rows: readonly Row[], about: string): string {
  const benches = [...Map.groupBy(rows, ({ bench }) => bench)];
  const sections = benches.map(([bench, own]) => `<h2>${escaped(bench)}</h2>\n${sectionOf(own)}`).join("\n");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Handler: measured</title>
<style>${STYLE}</style>
<h1>Handler: measured</h1>
<p>${escaped(about)}</p>
<p>${summary(rows)}</p>
${sections}
</html>
`;
}

function summary(rows: readonly Row[]): string {
  const of = (holds: boolean | null) => rows.filter((row) => row.holds === holds).length;
  return `${of(true)} goals hold, ${of(false)} do not, ${of(null)} are open.`;
}

function sectionOf(rows: readonly Row[]): string {
  return [...Map.groupBy(rows, ({ row }) => row)].map(([name, same]) => {
    const { goal, unit } = same[0]!;
    const remarks = same.flatMap(({ peer, why }) =>
      why ? [`<li>${escaped(peer ? `${peer}: ${why}` : why)}</li>`] : []
    );
    return `<section>
<h3>${escaped(name)} <span class="${verdict(same)}">${verdict(same)}</span></h3>
<p>goal: ${escaped(goal)}</p>
${plot(barsOf(same), unit)}
${remarks.length > 0 ? `<ul>${remarks.join("")}</ul>` : ""}
</section>`;
  }).join("\n");
}

function verdict(rows: readonly Row[]): "holds" | "missed" | "open" {
  if (rows.some(({ holds }) => holds === false)) return "missed";
  return rows.some(({ holds }) => holds === true) ? "holds" : "open";
}

/** Handler's own bar once, then each peer's. */
function barsOf(rows: readonly Row[]): readonly Bar[] {
  const measured = rows.filter((row) => row.value !== null);
  const own = measured.slice(0, 1).map(({ value }) => ({ name: "Handler", value: value!, own: true }));
  const peers = measured.flatMap(({ value, ratio, peer }) =>
    peer !== undefined && ratio !== undefined && ratio > 0
      ? [{ name: peer, value: value! / ratio, own: false }]
      : []
  );
  return [...own, ...peers];
}

function plot(bars: readonly Bar[], unit: string): string {
  if (bars.length === 0) return "<p>not measured</p>";
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const height = bars.length * (HEIGHT + GAP);
  const lines = bars.map(({ name, value, own }, at) => {
    const y = at * (HEIGHT + GAP), length = Math.max(1, (Math.abs(value) / most) * (WIDTH - NAMES - 110));
    return `<text x="${NAMES - 8}" y="${y + 15}" class="name">${escaped(name)}</text>
<rect x="${NAMES}" y="${y}" width="${length.toFixed(1)}" height="${HEIGHT}" rx="3" class="${
      own ? "own" : "peer"
    }"/>
<text x="${(NAMES + length + 8).toFixed(1)}" y="${y + 15}">${escaped(`${rounded(value)} ${unit}`)}</text>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${
    escaped(bars.map(({ name, value }) => `${name} ${rounded(value)} ${unit}`).join(", "))
  }">\n${lines.join("\n")}\n</svg>`;
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
section { margin: 1.5rem 0; padding-top: 0.5rem; border-top: 1px solid light-dark(#ddd, #444) }
h3 { margin: 0 } h3 span { font-size: 0.8rem; padding: 0 0.5rem; border-radius: 1rem }
.holds { background: light-dark(#e2f3e8, #1b3526); color: light-dark(#1a6b3c, #7bd6a0) }
.missed { background: light-dark(#fce6e4, #43201f); color: light-dark(#ac2222, #ff9d96) }
.open { background: light-dark(#eee, #333) }
svg { width: 100%; height: auto; font-size: 13px; fill: currentColor }
.name { text-anchor: end } .own { fill: light-dark(#3b4cca, #a5b0ff) } .peer { fill: light-dark(#b9bac4, #6a6d78) }
ul { font-size: 0.85rem; padding-left: 1.2rem }
`;
