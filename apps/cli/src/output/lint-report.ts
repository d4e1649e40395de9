import type { Inputs, LintIssue } from '@kubeadmit/lint';
import { definitionsAmong } from '@kubeadmit/lint/inputs';
import type { Source, TextRange } from '@kubeadmit/manifest';
import { version } from '../process/version.ts';
import { counted } from './counts.ts';
import { problemText } from './problems.ts';
import type { FormatReport, ReportItem } from './report.ts';
import type { Style } from './style.ts';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

/** The issues of `lint` for any format; the document is that of the machine interface. */
export function lintReport(issues: readonly LintIssue[]): FormatReport {
  const rows = issues.map(({ manifest, file, field, severity, code, message, place, ...more }) => ({
    file,
    resource: manifest === undefined ? '' : `${manifest.kind}/${manifest.name}`,
    path: field,
    severity,
    code,
    message,
    line: place?.line,
    column: place?.column,
    range: rangeOf(more.source, more.range),
    fix: more.fix && {
      title: more.fix.title,
      edits: more.fix.edits.map(({ range, newText }) => ({
        range: rangeOf(more.source, range),
        newText,
      })),
    },
  }));
  const items = rows.map((row): ReportItem => {
    const { file, resource, severity, code, message, line, column } = row;
    const outcome = severity === 'error' ? 'fail' : 'pass';
    const level = levels[severity];
    return { rule: code, name: resource, outcome, level, message, file, line, column };
  });
  return {
    title: 'kubeadmit lint',
    items,
    counts: countsText(issues),
    remarks: [],
    document: { version, issues: rows },
    rows,
  };
}

/** From where to where, for programs: lines and columns from 1, the end does not belong to it. */
function rangeOf(source: Source | undefined, range: TextRange | undefined) {
  if (source === undefined || range === undefined) return undefined;
  return { start: source.placeAt(range.start), end: source.placeAt(range.end) };
}

function countsText(issues: readonly LintIssue[]): string {
  const count = (severity: string, noun: string): string =>
    counted(issues.filter((issue) => issue.severity === severity).length, noun);
  const hasHints = issues.some(({ severity }) => severity === 'info');
  const hints = hasHints ? `, ${count('info', 'hint')}` : '';
  return `${count('error', 'error')}, ${count('warning', 'warning')}${hints}`;
}

/** How many objects lint looks at. */
export function lintedCount({ policies, bindings, statics, kyverno, context }: Inputs): number {
  const definitions = definitionsAmong(context);
  const native = policies.length + bindings.length + statics.length;
  return native + kyverno.length + definitions.length;
}

/** How many issues there are in how many objects. */
export function lintSummary(issues: readonly LintIssue[], inputs: Inputs): string {
  return `${countsText(issues)} in ${counted(lintedCount(inputs), 'object')}`;
}

/** The issues of `lint` for people: each with its place, and how many there are. */
export function lintText(issues: readonly LintIssue[], inputs: Inputs, style: Style): string {
  const { listed, unlisted } = fewSkipped(issues);
  const texts = listed.map((issue) => problemText(issue, issue.severity, style, issue.code));
  if (unlisted > 0) {
    const files = counted(unlisted, 'more skipped file');
    texts.push(`${style.yellow('warning:')} ${files} with manifests; -o json lists all\n`);
  }
  const found = lintSummary(issues, inputs);
  const fixable = issues.filter(({ fix }) => fix !== undefined).length;
  const repairs = fixable === 0 ? '' : ` (${fixable} can be fixed with --fix)`;
  return `${texts.join('')}${texts.length > 0 ? '\n' : ''}${found}${repairs}\n`;
}

/** How many skipped files the text lists before it only counts them. */
const mostSkipped = 20;

/** The issues without the skipped files beyond the first ones: a repository of policies may have thousands. */
function fewSkipped(issues: readonly LintIssue[]): {
  readonly listed: readonly LintIssue[];
  readonly unlisted: number;
} {
  let skipped = 0;
  const listed = issues.filter(({ code }) => code !== 'skipped-file' || ++skipped <= mostSkipped);
  return { listed, unlisted: issues.length - listed.length };
}
