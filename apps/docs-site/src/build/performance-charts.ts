import { type Bar, barChart } from './bar-chart.ts';

/** A table of Markdown: the cells of its head and of its rows. */
interface ParsedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The text of the table in its document. */
  readonly text: string;
}

/** The charts of the performance page by the folder of the package whose measurements they show. */
const charts: Readonly<Record<string, (table: ParsedTable) => string>> = {
  'packages/engine': ({ head, rows }) =>
    barChart(
      `Time of an evaluation, median of ${rows.length} expressions (kubeadmit = 1; shorter is faster)`,
      [
        { label: 'kubeadmit', value: 1, text: '1×', isOwn: true },
        ...['cel-js', 'cel-go'].map((name) => medianBar(name, column(rows, head.indexOf(name)))),
      ],
    ),
  'packages/admission': ({ rows }) =>
    barChart(
      'Time that kube-apiserver takes for the same request (kubeadmit = 1; shorter is faster)',
      rows.flatMap(([label = '', , , ratio = '']) => ratioBar(label, ratio)),
    ),
  'packages/kyverno': ({ rows }) =>
    barChart(
      'Time that Kyverno takes for the same evaluation (kubeadmit = 1; shorter is faster)',
      rows.flatMap(([label = '', , ratio = '']) => ratioBar(label, ratio)),
    ),
  'apps/cli': ({ rows }) =>
    barChart(
      'Time that the Kyverno CLI takes for the same work (kubeadmit = 1; shorter is faster)',
      rows.flatMap(([label = '', , , ratio = '']) => ratioBar(label, ratio)),
    ),
};

/**
 * Adds a chart above the measurements of a package, and folds a long table.
 *
 * @throws Error if a package with a chart has no table.
 */
export function withChart(folder: string, markdown: string): string {
  const draw = charts[folder];
  if (draw === undefined) return markdown;
  const found = firstTable(markdown);
  if (found === undefined) throw new Error(`${folder}: the section about speed has no table`);
  return `${draw(found)}\n\n${markdown.replace(found.text, () => folded(found))}`;
}

const longTable = 12;

function folded({ rows, text }: ParsedTable): string {
  if (rows.length <= longTable) return text;
  return `<details>\n<summary>All ${rows.length} measurements</summary>\n\n${text}\n\n</details>`;
}

function firstTable(markdown: string): ParsedTable | undefined {
  const text = /(?:^\|.*\n?)+/m.exec(markdown)?.[0].trimEnd();
  if (text === undefined) return undefined;
  const [head = [], , ...rows] = text.split('\n').map(cellsOf);
  return { head, rows, text };
}

function cellsOf(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The ratios in a column; cells without one are skipped. */
function column(rows: readonly (readonly string[])[], index: number): readonly number[] {
  return rows.flatMap((cells) => ratioIn(cells[index] ?? '') ?? []);
}

function medianBar(label: string, values: readonly number[]): Bar {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { label, value: median, text: `${median.toFixed(1)}×` };
}

function ratioBar(label: string, cell: string): readonly Bar[] {
  const value = ratioIn(cell);
  return value === undefined ? [] : [{ label, value, text: cell }];
}

/** Returns the ratio in a cell such as `4.4×`, or the smaller one in `320 to 480×`. */
function ratioIn(cell: string): number | undefined {
  const [, digits] = /^([\d.]+)(?: to [\d.]+)?×$/.exec(cell) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
