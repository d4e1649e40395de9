import { HeldTexts } from '../held-texts.ts';
import { findingsIn, type ItemFormat, type Level, noOutcomes, type ReportItem } from '../report.ts';
import { printable } from '../style.ts';

const marks = { error: '❌', warning: '⚠️', note: 'ℹ️', none: '✅' } as const;

/** Markdown for job summaries and comments on pull requests: counts, then a table of the findings. */
export class MarkdownFormat implements ItemFormat {
  readonly #title: string;
  readonly #rows = new HeldTexts();
  readonly #counts = noOutcomes();
  #worst: Level = 'none';

  readonly #told: string | undefined;

  /** @param told the summary (default: the counts of passed and failed results) */
  constructor(title: string, told?: string) {
    this.#title = title;
    this.#told = told;
  }

  add(items: readonly ReportItem[]): readonly string[] {
    for (const { outcome } of items) this.#counts[outcome]++;
    this.#worst = worstOf([this.#worst, ...items.map(({ level }) => level)]);
    this.#rows.hold('', findingsIn(items).map(row).join(''));
    return [];
  }

  *end(remarks: readonly string[]): Generator<string> {
    const { pass, fail, error, skip } = this.#counts;
    const counts = [
      `${pass} passed`,
      `${fail} failed`,
      ...(error > 0 ? [`${error} could not be checked`] : []),
      ...(skip > 0 ? [`${skip} skipped`] : []),
    ];
    yield `## ${marks[this.#worst]} ${this.#title}\n\n${this.#told ?? counts.join(', ')}\n`;
    if (this.#rows.keys.length > 0) {
      yield '\n| | place | rule | about | message |\n| --- | --- | --- | --- | --- |\n';
    }
    yield* this.#rows.take('');
    if (remarks.length > 0) yield `\n${remarks.map((each) => `- ${cell(each)}\n`).join('')}`;
  }
}

function row({ level, file, line, rule, name, message }: ReportItem): string {
  const place = cell(line === undefined ? file : `${file}:${line}`);
  return `| ${marks[level]} | ${place} | ${cell(rule)} | ${cell(name)} | ${cell(message)} |\n`;
}

function worstOf(levels: readonly Level[]): Level {
  return (['error', 'warning', 'note'] as const).find((level) => levels.includes(level)) ?? 'none';
}

/** Text within a table, in which nothing of it is markup. */
function cell(text: string): string {
  const markup = /[\\`*_{}[\]<>()#|~!&]/g;
  return printable(text.replaceAll('\r\n', '\n'))
    .replaceAll(markup, '\\$&')
    .replaceAll('\n', '<br>');
}
