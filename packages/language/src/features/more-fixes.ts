import { closest } from '@kubeadmit/base';
import { type Expression, printExpression } from '@kubeadmit/cel/syntax';
import type { LintIssue } from '@kubeadmit/lint';
import { findNode, nodesOf } from '../cel/find-node.ts';
import { celTokens, tokenAt } from '../cel/tokens.ts';
import { openBrackets } from '../cel/unfinished.ts';
import { type ExpressionAt, expressionAt } from '../lookup/expression-at.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Range, TextEdit } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { completeExpression } from './complete-expression.ts';

/** A change of one file. */
export interface Change {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** A binding for a policy that has none, at the end of its file: it denies, or only its policy is named. */
export function missingBinding(document: TextDocument, { manifest }: LintIssue): readonly Change[] {
  if (manifest === undefined || manifest.name === '') return [];
  const { kind, name, apiVersion } = manifest;
  const actions = kind.startsWith('Validating') ? '  validationActions:\n  - Deny\n' : '';
  const binding = `---\napiVersion: ${apiVersion}\nkind: ${kind}Binding\nmetadata:\n  name: ${name}\nspec:\n  policyName: ${name}\n${actions}`;
  const end = document.lines.positionAt(document.text.length);
  const newText = document.text.endsWith('\n') || document.text === '' ? binding : `\n${binding}`;
  return [{ title: `Add a binding for ${name}`, edits: [{ range: { start: end, end }, newText }] }];
}

/**
 * `has(a.b) && …` around the part of `&&` and `||` that reads a field at the cursor, where nothing guards it: a
 * field that is not there is an error.
 */
export function guardWithHas(context: ServiceContext, found: ExpressionAt): readonly Change[] {
  const { scalar, at, policy, part, document } = found;
  const tokens = celTokens(scalar.value);
  const token = tokenAt(tokens, at);
  if (token?.kind !== 'name') return [];
  const before = tokens[tokens.indexOf(token) - 1];
  if (before?.text !== '.') return [];
  const [environment] = context.environments(policy);
  const checked = environment?.check(scalar.value);
  if (checked === undefined) return [];
  const selected = findNode(
    checked.expression,
    (node) =>
      node.kind === 'select' &&
      !node.test &&
      node.position === before.start &&
      node.field === token.text,
  );
  if (selected === undefined || isGuarded(checked.expression, selected.node)) return [];
  const way = selected.node;
  if (way.kind !== 'select' || !isPath(way) || checked.types[way.id]?.kind === 'error') return [];
  const clause = [way as Expression, ...selected.parents].find((_, i, all) => isClause(all[i + 1]));
  const stretch = clause === undefined ? undefined : stretchOf(scalar.value, clause, tokens);
  if (stretch === undefined) return [];
  const text = `has(${printExpression(way)})`;
  const position = document.lines.positionAt(part.start + scalar.toDocument(stretch.start));
  return [
    {
      title: `Guard by ${text}`,
      edits: [{ range: { start: position, end: position }, newText: `${text} && ` }],
    },
  ];
}

const optionalFunctions: ReadonlySet<string> = new Set(['or', 'orValue', 'hasValue', 'value']);
/** The macros that call such a function. */
const optionalMacros: ReadonlySet<string> = new Set(['optMap', 'optFlatMap']);

/**
 * `a.?b` for an `a.b`, or `a[?b]` for an `a[b]`, whose value is taken for an optional one by the function that is
 * called at the end of a range.
 */
export function missingMark(
  document: TextDocument,
  { cause }: LintIssue,
  range: Range,
): readonly Change[] {
  const { kind, name: called = '' } = cause ?? {};
  if (kind !== 'no-overload' || !optionalFunctions.has(called)) return [];
  const found = expressionAt(document, range.end);
  if (found === undefined) return [];
  const { scalar, at, part } = found;
  const tokens = celTokens(scalar.value);
  const name = tokens.findIndex(({ kind, end }) => kind === 'name' && end === at);
  const dot = tokens[name - 1];
  const written = tokens[name]?.text ?? '';
  const isOptional = optionalFunctions.has(written) || optionalMacros.has(written);
  if (!isOptional || dot?.text !== '.') return [];
  const last = tokens[name - 2];
  const opener =
    last?.text === ']' ? openBrackets(tokens.slice(0, name - 2)).at(-1)?.index : name - 3;
  const mark = tokens[opener ?? -1];
  const fits =
    last?.text === ']' ? mark?.text === '[' : last?.kind === 'name' && mark?.text === '.';
  // A bracket at the start is a list, not an index.
  const operand = tokens[(opener ?? 0) - 1];
  if (!fits || mark === undefined || !/[\w)\]`]$/.test(operand?.text ?? '')) return [];
  const place = scalar.toDocument(mark.end);
  const text = scalar.value.slice(mark.start, last?.end);
  const marked = text.replace(/^[.[]/, (sign) => `${sign}?`);
  const edit = { range: document.range(part, place, place), newText: '?' };
  return [{ title: `Write \`${marked}\``, edits: [edit] }];
}

/** Returns the most similar field or function for an unknown one. */
export function nearestName(
  context: ServiceContext,
  document: TextDocument,
  { cause }: LintIssue,
  range: Range,
): readonly Change[] {
  const { kind, name: written = '' } = cause ?? {};
  if (kind === 'unknown-character' && written.startsWith('= ')) {
    const at = document.lines.offsetAt(range.start);
    const equals = document.text.indexOf('=', at);
    const edit = { range: document.lines.rangeOf(equals, equals + 1), newText: '==' };
    return equals - at > 1 || equals === -1 ? [] : [{ title: 'Write `==`', edits: [edit] }];
  }
  if (kind !== 'unknown-name' && kind !== 'unknown-field') return [];
  const end = document.lines.offsetAt(range.end);
  const text = document.text.slice(document.lines.offsetAt(range.start), end);
  const within = text.lastIndexOf(written);
  if (within === -1) return [];
  const start = end - text.length + within;
  const found = expressionAt(document, document.lines.positionAt(start));
  if (found === undefined) return [];
  const names = completeExpression(context, found);
  const meant = closest(
    written,
    names.map(({ label }) => label),
  );
  if (meant === undefined || meant === written) return [];
  const edit = { range: document.lines.rangeOf(start, start + written.length), newText: meant };
  return [{ title: `Write \`${meant}\``, edits: [edit] }];
}

/** Whether the parent of a node is `&&`, or the node has no parent: a guard can be inserted there. */
function isClause(parent: Expression | undefined): boolean {
  return parent === undefined || (parent.kind === 'call' && parent.function === '_&&_');
}

function isPath(node: Expression): boolean {
  if (node.kind === 'identifier') return true;
  return node.kind === 'select' && !node.test && isPath(node.operand);
}

function isGuarded(root: Expression, node: Expression): boolean {
  const text = printExpression(node);
  for (const { node: other } of nodesOf(root)) {
    if (
      other.kind === 'select' &&
      other.test &&
      `${printExpression(other.operand)}.${other.field}` === text
    )
      return true;
  }
  return false;
}

/** Where the text of a node begins: the first of its tokens. */
function stretchOf(
  _text: string,
  node: Expression,
  tokens: ReturnType<typeof celTokens>,
): { readonly start: number } | undefined {
  let first = Number.POSITIVE_INFINITY;
  for (const { node: each } of nodesOf(node)) {
    const shown = each.macro?.target ?? each;
    first = Math.min(first, shown.position, each.position);
  }
  const token = tokens.find(({ start }) => start >= first);
  if (token === undefined) return undefined;
  // `!x` and `f(x)` begin before their operands.
  const at = tokens.indexOf(token);
  const opener = tokens[at - 1];
  return opener?.kind === 'name' && token.text === '('
    ? { start: opener.start }
    : { start: token.start };
}
