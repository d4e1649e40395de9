/** One bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value as the reader sees it, such as `13.0×`. */
  readonly text: string;
  /** Whether the bar shows kubeadmit's own value. */
  readonly isOwn?: boolean;
}

const rowHeight = 40;
const barTop = 20;
const barHeight = 14;

/** The share of the width that the longest bar takes, so that its value fits behind it. */
const longestBar = 66;

/** A value so many times larger than the next one gets a shortened bar. */
const outlierFactor = 3;

/**
 * Draws a bar chart as SVG for a Markdown page.
 *
 * Positions are shares of the width, so that text keeps its size on phones. Colors are classes, which follow the color
 * mode of the page. A bar that is much longer than the others is shortened and drawn with a gap.
 */
export function barChart(title: string, bars: readonly Bar[]): string {
  const end = endOfScale(bars.map(({ value }) => value));
  const height = bars.length * rowHeight;
  const rows = bars.map((bar, index) => rowOf(bar, index * rowHeight, end));
  const alternative = bars.map(({ label, text }) => `${label}: ${text}`).join('; ');
  return `<figure class="chart" v-pre>
<figcaption>${escaped(title)}</figcaption>
<svg role="img" aria-label="${escaped(`${title}. ${alternative}`)}" width="100%" height="${height}">
${rows.join('\n')}
</svg>
</figure>`;
}

function endOfScale(values: readonly number[]): number {
  const [largest = 1, second = largest] = values.toSorted((a, b) => b - a);
  return largest > second * outlierFactor && values.length > 3 ? second * 1.2 : largest;
}

function rowOf({ label, value, text, isOwn = false }: Bar, top: number, end: number): string {
  const width = (Math.min(value, end) / end) * longestBar;
  const y = top + barTop;
  const gap =
    value > end
      ? `<rect class="gap" x="${share(longestBar - 4)}" y="${y}" width="4" height="${barHeight}" />`
      : '';
  return [
    `<text class="label" x="0" y="${top + 14}">${escaped(label)}</text>`,
    `<rect class="${isOwn ? 'own' : 'other'}" x="0" y="${y}" width="${share(width)}" height="${barHeight}" rx="2" />${gap}`,
    `<text class="value" x="${share(width)}" dx="8" y="${y + barHeight - 3}">${escaped(text)}</text>`,
  ].join('');
}

function share(percent: number): string {
  return `${Number(percent.toFixed(2))}%`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
