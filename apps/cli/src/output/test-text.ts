import type { TestEntry } from '@kubeadmit/check';
import { indentLines, printable, type Style } from './style.ts';
import { summarize } from './test-json.ts';

/** What of a report is shown. */
export interface TestTextOptions {
  readonly failOnly?: boolean;
  readonly detailedResults?: boolean;
}

/** The report of `test` for people: a table for each test, then how many rows passed. */
export function testText(
  entries: readonly TestEntry[],
  { failOnly = false, detailedResults = false }: TestTextOptions,
  style: Style,
): string {
  const shown = failOnly
    ? entries.filter(({ result }) => result === 'fail' || result === 'error')
    : entries;
  const files = new Map<string, TestEntry[]>();
  for (const entry of shown) {
    const title = `${entry.name} (${entry.file})`;
    const rows = files.get(title);
    if (rows === undefined) files.set(title, [entry]);
    else rows.push(entry);
  }
  const tables = [...files].map(
    ([title, rows]) => `${style.bold(printable(title))}\n${table(rows, detailedResults, style)}\n`,
  );
  return `${tables.join('')}${summaryText(entries, style)}\n`;
}

const headings = ['policy', 'rule', 'resource', 'expected', 'actual'] as const;

function table(rows: readonly TestEntry[], isDetailed: boolean, style: Style): string {
  const cells = rows.map((row) => headings.map((heading) => printable(row[heading])));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const head = style.dim(`    ${line(headings.map((heading) => heading.toUpperCase()))}`);
  const body = rows.map((row, index) => {
    const text = `  ${mark(row.result, style)} ${line(cells[index] ?? [])}`;
    const needsMessage = row.message !== '' && (isDetailed || isBroken(row));
    return needsMessage ? `${text}\n${indentLines(printable(row.message), '      ')}` : text;
  });
  return `${[head, ...body].join('\n')}\n`;
}

function isBroken({ result }: TestEntry): boolean {
  return result === 'fail' || result === 'error';
}

function mark(result: TestEntry['result'], style: Style): string {
  switch (result) {
    case 'pass':
      return style.green('✓');
    case 'skip':
      return style.dim('-');
    default:
      return style.red('✗');
  }
}

function summaryText(entries: readonly TestEntry[], style: Style): string {
  const { passed, failed, errored, skipped } = summarize(entries);
  const parts = [
    style.green(`${passed} passed`),
    failed > 0 ? style.red(`${failed} failed`) : '0 failed',
    ...(errored > 0 ? [style.red(`${errored} could not be checked`)] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${entries.length} ${entries.length === 1 ? 'result' : 'results'} of tests: ${parts.join(', ')}`;
}
