import type { ScenarioResult } from '../parts/requests.ts';

const width = 860;
const left = 220;
const right = 30;
const top = 56;
const rowHeight = 30;

/** Distinct on light and dark backgrounds, and for colour-blind readers. */
const marks = [
  { colour: '#e8590c', radius: 7 },
  { colour: '#868e96', radius: 5 },
  { colour: '#1c7ed6', radius: 5 },
  { colour: '#ae3ec9', radius: 5 },
  { colour: '#37b24d', radius: 5 },
];

const style = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .tick { font-size: 11px; fill: #6e7781 }
  line { stroke: #d0d7de }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .tick { fill: #8b949e }
    line { stroke: #30363d }
  }`;

/** The rate of each peer by scenario, on a logarithmic scale. */
export function drawChart(results: readonly ScenarioResult[], peers: readonly string[]): string {
  const rates = results.flatMap(({ peers }) =>
    [...peers.values()].map(({ perSecond }) => perSecond),
  );
  const exponents = rates.filter((rate) => rate > 0).map(Math.log10);
  const low = Math.floor(Math.min(...exponents));
  const high = Math.ceil(Math.max(...exponents));
  const x = (rate: number) =>
    left + ((Math.log10(rate) - low) / Math.max(1, high - low)) * (width - left - right);
  const height = top + results.length * rowHeight + 34;
  const bottom = top + results.length * rowHeight;

  const legend = peers.map((peer, index) => {
    const at = 16 + index * 165;
    return `${dot(at, 18, index)}<text x="${at + 12}" y="22">${asMarkup(peer)}</text>`;
  });
  const ticks = Array.from({ length: high - low + 1 }, (_, step) => {
    const rate = 10 ** (low + step);
    const at = x(rate).toFixed(1);
    return (
      `<line x1="${at}" x2="${at}" y1="${top - 12}" y2="${bottom}"/>` +
      `<text class="tick" x="${at}" y="${bottom + 18}" text-anchor="middle">${rate.toLocaleString('en')}/s</text>`
    );
  });
  const rows = results.map(({ scenario, peers: measured }, row) => {
    const y = top + row * rowHeight + rowHeight / 2 - 6;
    const dots = peers.map((peer, index) => {
      const rate = measured.get(peer)?.perSecond;
      return rate ? dot(x(rate), y, index) : '';
    });
    // Ours last, so that it is drawn on top.
    return `<text x="12" y="${y + 4}">${asMarkup(scenario.name)}</text>${dots.slice(1).join('')}${dots[0]}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests a second of each peer, by scenario">
<style>${style}
</style>
${[...legend, ...ticks, ...rows].join('\n')}
</svg>
`;
}

function dot(x: number, y: number, index: number): string {
  const { colour, radius } = marks[index % marks.length] ?? { colour: '#000', radius: 5 };
  return `<circle cx="${x.toFixed(1)}" cy="${y}" r="${radius}" fill="${colour}"/>`;
}

function asMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
