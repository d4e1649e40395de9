import { getOrMake } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { baseEnvironment } from '@kubeadmit/engine';
import { type Manifest, parseFieldPath, valueAt } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { edited, repairString } from '../issue/repair.ts';
import { type ForeignWord, foreignWords } from './foreign-words.ts';

const codes: ReadonlySet<string> = new Set(['expression-error', 'type-warning']);

/**
 * Reports words of other languages in the place of the compiler issues that they cause: issues about unknown
 * characters and names.
 */
export function withForeignWords(issues: readonly LintIssue[]): readonly LintIssue[] {
  const groups = new Map<Manifest, Map<string, LintIssue[]>>();
  for (const issue of issues) {
    if (!codes.has(issue.code) || issue.manifest === undefined) continue;
    const fields = getOrMake(groups, issue.manifest, () => new Map<string, LintIssue[]>());
    getOrMake(fields, issue.field, () => []).push(issue);
  }
  const replaced = new Map<LintIssue, readonly LintIssue[]>();
  for (const [manifest, fields] of groups) {
    for (const [field, found] of fields) {
      for (const [issue, instead] of replacements(manifest, field, found)) {
        replaced.set(issue, instead);
      }
    }
  }
  return replaced.size === 0 ? issues : issues.flatMap((issue) => replaced.get(issue) ?? [issue]);
}

/** Returns the replacements of the issues about one expression. */
function replacements(
  manifest: Manifest,
  field: string,
  found: readonly LintIssue[],
): ReadonlyMap<LintIssue, readonly LintIssue[]> {
  const text = valueAt(manifest.object as Value, parseFieldPath(field));
  if (typeof text !== 'string') return new Map();
  const words = foreignWords(text);
  const [first, ...rest] = found;
  if (words.length === 0 || first === undefined) return new Map();
  const tell = (word: ForeignWord, issue: LintIssue): LintIssue =>
    wordIssue(manifest, field, word, issue);
  if (baseEnvironment().parse(text).expression === undefined) {
    // Issues after a syntax error are consequences of it.
    if (baseEnvironment().parse(edited(text, words)).expression === undefined) return new Map();
    const told = words.map((word, i) => tell(word, i === 0 ? first : withoutCause(first)));
    const answers = new Map<LintIssue, readonly LintIssue[]>([[first, told]]);
    for (const issue of rest) answers.set(issue, []);
    return answers;
  }
  const answers = new Map<LintIssue, readonly LintIssue[]>();
  for (const issue of found) {
    const word = words.find(({ written }) => written === issue.cause?.name);
    if (word !== undefined) answers.set(issue, [tell(word, issue)]);
  }
  return answers;
}

function withoutCause({ cause: _, ...issue }: LintIssue): LintIssue {
  return issue;
}

function wordIssue(
  manifest: Manifest,
  field: string,
  { range, written, newText }: ForeignWord,
  { severity, refused, cause }: LintIssue,
): LintIssue {
  const instead = newText.replace(/^\./, '');
  const said = cause === undefined ? '' : ` (the server says: ${cause.message})`;
  const title = `write \`${instead}\``;
  const told = `CEL has no \`${written}\`: ${title}${said}`;
  const fix = repairString(manifest, parseFieldPath(field), { range, newText }, title);
  const text = { code: 'foreign-word', severity, message: told, fix };
  return { ...issueAt(manifest, field, text, range), refused };
}
