import { countOutcomes, type FormatReport, findingsOf, type ReportItem } from './report.ts';

const marks = { error: '❌', warning: '⚠️', note: 'ℹ️', none: '✅' } as const;

/** Markdown for summaries of jobs and comments on changes: counts, then a table of what is to be looked at. */
export function markdownFormat(report: FormatReport): string {
  const { title, items, remarks } = report;
  const found = findingsOf(report);
  const { pass, fail, error, skip } = countOutcomes(items);
  const counts = [
    `${pass} passed`,
    `${fail} failed`,
    ...(error > 0 ? [`${error} could not be checked`] : []),
    ...(skip > 0 ? [`${skip} skipped`] : []),
  ];
  const head = `## ${marks[worstOf(items)]} ${title}\n\n${counts.join(', ')}\n`;
  const rows = found.map(
    ({ level, file, line, rule, name, message }) =>
      `| ${marks[level]} | ${cell(line === undefined ? file : `${file}:${line}`)} | ${cell(rule)} | ${cell(name)} | ${cell(message)} |`,
  );
  const table =
    rows.length === 0
      ? ''
      : `\n| | place | rule | about | message |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  const rest =
    remarks.length === 0 ? '' : `\n${remarks.map((each) => `- ${cell(each)}\n`).join('')}`;
  return `${head}${table}${rest}`;
}

function worstOf(items: readonly ReportItem[]): ReportItem['level'] {
  const levels = new Set(items.map(({ level }) => level));
  return (['error', 'warning', 'note'] as const).find((level) => levels.has(level)) ?? 'none';
}

/** Text within a table, in which nothing of it is markup. */
function cell(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#|~!&]/g, '\\$&').replaceAll(/\r?\n/g, '<br>');
}
