import type { Source, TextRange } from '@kubeadmit/manifest';
import type { LintIssue } from './issue/issue.ts';
import { findRule, nearestRule, noRuleText } from './issue/rules.ts';

/** A comment `# kubeadmit-ignore CODE, CODE` of a file, or one in an expression that begins with `//`. */
interface IgnoreComment {
  readonly source: Source;
  /** The lines that it is about. */
  readonly first: number;
  readonly last: number;
  readonly codes: readonly { readonly code: string; readonly range: TextRange }[];
}

const comment =
  /(?:^|\s)(#|\/\/)\s*kubeadmit-ignore[ \t]+([a-z][a-z0-9-]*(?:[ \t]*,[ \t]*[a-z][a-z0-9-]*)*)/dg;

/** One that names no rule. */
const bareComment = /(?:^|\s)(?:#|\/\/)\s*(kubeadmit-ignore)[ \t]*:?[ \t]*(?:\r?$|[^ \ta-z])/dgm;

/**
 * Removes issues that comments of their files silence, and reports comments that silence nothing.
 *
 * A comment at the end of a line applies to that line. A comment alone on a line applies to the next line that is
 * not a comment. Both include all lines that are indented further. A comment before the content of a document
 * applies to the document. Rejections by a server cannot be silenced.
 */
export function withoutSilenced(
  issues: readonly LintIssue[],
  sources: Iterable<Source>,
): readonly LintIssue[] {
  const comments = new Map<Source, readonly IgnoreComment[]>();
  for (const source of sources) {
    if (source.text.includes('kubeadmit-ignore')) comments.set(source, commentsOf(source));
  }
  if (comments.size === 0) return issues;
  const bare = [...comments.keys()].flatMap(bareIgnores);
  const used = new Set<object>();
  const left = issues.filter((issue) => {
    const { source, place, code, refused } = issue;
    if (source === undefined || place === undefined || refused) return true;
    if (findRule(code)?.isRefusal === true) return true;
    const about = (comments.get(source) ?? []).filter(
      ({ first, last, codes }) =>
        first <= place.line && place.line <= last && codes.some((each) => each.code === code),
    );
    for (const each of about) for (const own of each.codes) if (own.code === code) used.add(own);
    return about.length === 0;
  });
  const unused = [...comments.values()]
    .flat()
    .flatMap((each) =>
      each.codes.flatMap((own) =>
        used.has(own) ? [] : [unusedIgnore(each.source, own.code, own.range)],
      ),
    );
  return [...left, ...unused, ...bare];
}

/** Comments that name no rule silence nothing. */
function bareIgnores(source: Source): readonly LintIssue[] {
  return [...source.text.matchAll(bareComment)].map(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0];
    const message = 'missing rule: write `kubeadmit-ignore CODE`';
    return issueOf(source, { start, end }, message);
  });
}

function issueOf(source: Source, range: TextRange, message: string): LintIssue {
  return {
    file: source.name,
    source,
    place: source.placeAt(range.start),
    range,
    field: '',
    code: 'unused-ignore',
    severity: 'warning',
    message,
    refused: false,
  };
}

function unusedIgnore(source: Source, code: string, range: TextRange): LintIssue {
  const rule = findRule(code);
  const meant = rule === undefined ? nearestRule(code) : undefined;
  let message = `\`${code}\` reports nothing here; remove the comment`;
  if (rule === undefined) message = noRuleText(code);
  else if (rule.isRefusal)
    message = `\`${code}\` cannot be silenced: it reports rejections by a server or unreadable inputs`;
  const issue = issueOf(source, range, message);
  if (meant === undefined) return issue;
  return { ...issue, fix: { title: `write \`${meant}\``, edits: [{ range, newText: meant }] } };
}

function commentsOf(source: Source): readonly IgnoreComment[] {
  const lines = source.text.split('\n');
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + 1;
  }
  return lines.flatMap((line, index) =>
    [...line.matchAll(comment)].map((match): IgnoreComment => {
      const [, , list = ''] = match;
      const at = (starts[index] ?? 0) + (match.indices?.[2]?.[0] ?? 0);
      const codes = [...list.matchAll(/[a-z][a-z0-9-]*/g)].map(({ 0: code, index: within }) => ({
        code,
        range: { start: at + within, end: at + within + code.length },
      }));
      const isAlone = isComment(line);
      const [first, last] = linesAbout(lines, index, isAlone);
      return { source, first: first + 1, last: last + 1, codes };
    }),
  );
}

/** The lines that a comment is about, from 0. */
function linesAbout(lines: readonly string[], at: number, isAlone: boolean): [number, number] {
  if (!isAlone) return [at, blockEnd(lines, at)];
  let first = at + 1;
  while (first < lines.length - 1 && isBlank(lines[first] ?? '')) first++;
  const before = lines.slice(0, at).findLast((line) => !isBlank(line));
  if (before === undefined || before.startsWith('---')) {
    const next = lines.findIndex((line, index) => index >= first && line.startsWith('---'));
    return [first, next === -1 ? lines.length - 1 : next - 1];
  }
  return [first, blockEnd(lines, first)];
}

/** The last of the lines after one that are indented further than it, or items of its list. */
function blockEnd(lines: readonly string[], first: number): number {
  const head = lines[first] ?? '';
  const indentation = indentationOf(head);
  // The items of a list may stand right under its key.
  const hasItems = /:\s*(?:#.*)?$/.test(head) && !/^\s*-/.test(head);
  let last = first;
  for (let at = first + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const isItem = hasItems && /^\s*-(?:\s|$)/.test(line) && indentationOf(line) === indentation;
    if (indentationOf(line) <= indentation && !isItem) break;
    last = at;
  }
  return last;
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isComment(line: string): boolean {
  return /^\s*(?:#|\/\/)/.test(line);
}

function isBlank(line: string): boolean {
  return line.trim() === '' || isComment(line);
}
