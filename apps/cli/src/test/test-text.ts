import type { TestEntry } from '@kubeadmit/testing/other-tools';
import { counted } from '../output/counts.ts';
import { inputHint } from '../output/input-hint.ts';
import { indentLines, printable, printableLine, type Style } from '../output/style.ts';
import { summarize } from '../output/test-json.ts';
import type { RunBatch } from './batch.ts';
import { isBroken } from './run-batches.ts';

/** The parts of a report to show. */
export interface TestTextOptions {
  readonly failOnly?: boolean;
  readonly detailedResults?: boolean;
  readonly verbose?: boolean;
  /** Prints failures only, and nothing if all tests pass. */
  readonly quiet?: boolean;
  /** Files that contain a mistake, so that not all of their cases ran. */
  readonly brokenFiles?: ReadonlySet<string>;
}

/**
 * The report of `test` for people: for suites the failures and one line per file, like `go test`; for Kyverno tests a
 * table; then the number of passed tests.
 */
export function testText(
  results: readonly RunBatch[],
  options: TestTextOptions,
  style: Style,
): string {
  const entries = results.flatMap((one) => one.entries);
  const { failOnly = false, quiet = false, brokenFiles = new Set() } = options;
  const parts: string[] = [];
  let previous: TestEntry[] = [];
  for (const [index, { batch, entries: own }] of results.entries()) {
    const shown = failOnly || quiet ? own.filter(isBroken) : own;
    if (batch.format === 'kyverno') {
      if (shown.length > 0) parts.push(tableText(batch.name, shown, options, style));
      continue;
    }
    parts.push(...entriesText(shown, options, style));
    // The suites of a file have one line.
    previous = results[index - 1]?.batch.file === batch.file ? [...previous, ...own] : [...own];
    if (results[index + 1]?.batch.file === batch.file) continue;
    const isIncomplete = brokenFiles.has(batch.file);
    const isFine = !isIncomplete && !previous.some(isBroken);
    if (isFine && (quiet || failOnly)) continue;
    parts.push(`${fileText(batch.file, previous, { isIncomplete, style })}\n`);
  }
  if (quiet && !entries.some(isBroken)) return '';
  const isTable = results.at(-1)?.batch.format === 'kyverno';
  return `${parts.join('')}${isTable || parts.length === 0 ? '' : '\n'}${summaryText(entries, style)}\n`;
}

/** Yields the results of tests; a problem that prevents many of them from running is shown with the first. */
function* entriesText(
  entries: readonly TestEntry[],
  options: TestTextOptions,
  style: Style,
): Generator<string> {
  let told = '';
  for (const entry of entries) {
    const { result, message } = entry;
    const isAgain = result === 'error' && message !== '' && message === told;
    yield entryText(isAgain ? { ...entry, message: 'as above' } : entry, options, style);
    if (!isAgain) told = result === 'error' ? message : '';
  }
}

/** How results look in lists and in tables. */
const looks = {
  pass: { dress: 'green', word: 'PASS', mark: '✓' },
  skip: { dress: 'dim', word: 'SKIP', mark: '-' },
  fail: { dress: 'red', word: 'FAIL', mark: '✗' },
  error: { dress: 'red', word: 'ERROR', mark: '✗' },
} as const;

function entryText(entry: TestEntry, options: TestTextOptions, style: Style): string {
  const { result, name, file, line, message, actual } = entry;
  if (result === 'pass' && options.verbose !== true && options.detailedResults !== true) return '';
  const where = line === undefined ? file : `${file}:${line}`;
  const { dress, word } = looks[result];
  const head = `${style[dress](`--- ${word}:`)} ${style.bold(printableLine(name))} ${style.dim(`(${printableLine(where)})`)}\n`;
  const text = result === 'pass' && options.detailedResults === true ? actual : message;
  const hint = result === 'error' ? inputHint(message) : undefined;
  const advice = hint === undefined ? '' : `    ${style.cyan(`hint: ${hint}`)}\n`;
  return text === '' ? head : `${head}${indentLines(printable(text), '    ')}\n${advice}`;
}

function fileText(
  file: string,
  entries: readonly TestEntry[],
  { isIncomplete, style }: { readonly isIncomplete: boolean; readonly style: Style },
): string {
  const { passed, failed, errored, skipped } = summarize(entries);
  const isFine = failed + errored === 0 && !isIncomplete;
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(errored > 0 ? [`${errored} could not be checked`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(isIncomplete ? ['some cases could not be read'] : []),
  ];
  const word = isFine ? style.green('ok  ') : style.red('FAIL');
  return `${word}  ${printableLine(file)}  ${style.dim(counts.join(', '))}`;
}

function tableText(
  name: string,
  rows: readonly TestEntry[],
  { detailedResults = false }: TestTextOptions,
  style: Style,
): string {
  const title = `${name} (${rows[0]?.file ?? ''})`;
  return `${style.bold(printableLine(title))}\n${table(rows, detailedResults, style)}\n`;
}

const headings = ['policy', 'rule', 'resource', 'expected', 'actual'] as const;

function table(rows: readonly TestEntry[], isDetailed: boolean, style: Style): string {
  const cells = rows.map((row) => headings.map((heading) => printableLine(row[heading])));
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
    const { dress, mark } = looks[row.result];
    const text = `  ${style[dress](mark)} ${line(cells[index] ?? [])}`;
    const needsMessage = row.message !== '' && (isDetailed || isBroken(row));
    return needsMessage ? `${text}\n${indentLines(printable(row.message), '      ')}` : text;
  });
  return `${[head, ...body].join('\n')}\n`;
}

/** How many tests passed and failed. */
export function summaryText(entries: readonly TestEntry[], style: Style): string {
  const { passed, failed, errored, skipped } = summarize(entries);
  const parts = [
    style.green(`${passed} passed`),
    failed > 0 ? style.red(`${failed} failed`) : '0 failed',
    ...(errored > 0 ? [style.red(`${errored} could not be checked`)] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${counted(entries.length, 'test')}: ${parts.join(', ')}`;
}
