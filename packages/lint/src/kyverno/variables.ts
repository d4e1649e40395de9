import { member } from '@kubeadmit/apimachinery';
import { closest, didYouMean } from '@kubeadmit/base';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import {
  compileExpression,
  Failure,
  functionNames,
  type Node,
  parse,
} from '@kubeadmit/kyverno/jmespath';
import type { Manifest, TextRange } from '@kubeadmit/manifest';
import { issueAt, type LintIssue, requireManifest } from '../issue/issue.ts';
import { type PlacedString, stringsIn } from './strings.ts';

/** A variable that holds no other, and the character before it, which may escape it. */
const innermost = /(^|[^\\])\{\{((?:\{[^{}]*\}|[^{}])*)\}\}/g;

/** Variables of rules that are not closed, of which Kyverno says nothing: they stay as they are written. */
export function unclosedVariables(manifest: Manifest): readonly LintIssue[] {
  requireManifest('unclosedVariables', manifest);
  return stringsOf(manifest).flatMap((placed) => unclosedVariable(manifest, placed));
}

/** Returns invalid JMESPath queries in contexts, which Kyverno finds only when a request reaches them. */
export function brokenQueries(manifest: Manifest): readonly LintIssue[] {
  return stringsOf(manifest).flatMap((placed) => brokenQuery(manifest, placed));
}

/** Functions in variables and queries that Kyverno does not have, which it finds when a request meets them. */
export function unknownFunctions(manifest: Manifest): readonly LintIssue[] {
  requireManifest('unknownFunctions', manifest);
  return stringsOf(manifest).flatMap((placed) => {
    return queriesIn(placed).flatMap(({ query, start }) =>
      functionsIn(query)
        .filter((name) => !functionNames.has(name))
        .map((name) => {
          const at = start + Math.max(0, query.indexOf(`${name}(`));
          const hint = didYouMean(closest(name, functionNames));
          const message = `\`${name}\` is not a function of Kyverno's JMESPath${hint}`;
          return issue(manifest, placed, { start: at, end: at + name.length }, message);
        }),
    );
  });
}

/** A JMESPath query in a string. */
export interface PlacedQuery {
  readonly query: string;
  /** Where it begins in the string. */
  readonly start: number;
}

/** Returns the queries in a string: its variables that contain no other, or the whole text of a `jmesPath`. */
export function queriesIn({ path, text }: PlacedString): readonly PlacedQuery[] {
  const queries = [...text.matchAll(innermost)].map(
    ({ index, 0: whole, 1: head = '', 2: query = '' }) => ({
      query,
      start: index + head.length + (whole.length - head.length - query.length) / 2,
    }),
  );
  if (path.at(-1) === 'jmesPath' && queries.length === 0) return [{ query: text, start: 0 }];
  return queries;
}

/** Returns the functions that a query calls; empty for an invalid query, which is reported elsewhere. */
function functionsIn(query: string): readonly string[] {
  try {
    return [...calledFunctions(parse(query.trim()))];
  } catch {
    return [];
  }
}

function* calledFunctions({ kind, value, children }: Node): Generator<string> {
  if (kind === 'call' && typeof value === 'string') yield value;
  for (const child of children) yield* calledFunctions(child);
}

function stringsOf(manifest: Manifest): readonly PlacedString[] {
  if (kyvernoRole(manifest) !== 'classic') return [];
  return stringsIn(member(member(manifest.object, 'spec'), 'rules'), ['spec', 'rules']);
}

function brokenQuery(manifest: Manifest, placed: PlacedString): readonly LintIssue[] {
  const { path, text } = placed;
  const isQuery = path.at(-1) === 'jmesPath';
  if (!isQuery || text.includes('{{')) return [];
  const compiled = compileExpression(text.trim());
  if (!(compiled instanceof Failure)) return [];
  const message = `invalid JMESPath query ${text.trim()}: ${compiled.message}`;
  return [issue(manifest, placed, { start: 0, end: text.length }, message)];
}

function unclosedVariable(manifest: Manifest, placed: PlacedString): readonly LintIssue[] {
  let text = placed.text.replaceAll('\\{{', '   ');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(
      innermost,
      (match, head: string) => head + ' '.repeat(match.length - head.length),
    );
  }
  const start = text.indexOf('{{');
  if (start === -1) return [];
  const message = 'unclosed variable: `{{` without `}}`; Kyverno treats it as plain text';
  return [issue(manifest, placed, { start, end: start + 2 }, message)];
}

function issue(
  manifest: Manifest,
  { path }: PlacedString,
  range: TextRange,
  message: string,
): LintIssue {
  return issueAt(manifest, path, { code: 'kyverno-variable', severity: 'error', message }, range);
}
