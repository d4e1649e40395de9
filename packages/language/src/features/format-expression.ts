import { parse } from '@kubeadmit/cel';
import { printExpression } from '@kubeadmit/cel/syntax';
import { baseEnvironment } from '@kubeadmit/engine';
import { type CelToken, celTokens } from '../cel/tokens.ts';
import { type ExpressionAt, expressionAt } from '../lookup/expression-at.ts';
import type { Range, TextEdit } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { isBlock } from '../yaml/nodes.ts';

const widest = 88;

/**
 * Returns the edit that formats an expression: in one line, or in lines broken at `&&` and `||`.
 *
 * Strings and numbers stay as they are written. Returns `undefined` for an expression that does not parse, that has
 * comments or multi-line strings, or that is already formatted.
 */
export function formatExpression({
  scalar,
  view,
  part,
  document,
}: ExpressionAt): TextEdit | undefined {
  const text = scalar.value;
  const isFixed = ({ kind, text: each }: CelToken): boolean =>
    kind === 'comment' || (kind === 'text' && each.includes('\n'));
  if (celTokens(text).some(isFixed)) return undefined;
  const { node } = view;
  const indent = node.indent ?? 0;
  const width = isBlock(node) ? Math.max(widest - indent, 40) : Number.MAX_SAFE_INTEGER;
  const print = (source: string): string | undefined => {
    const { expression } = baseEnvironment().parse(source);
    return expression && printExpression(expression, { bareCalls: true, width });
  };
  const plain = print(text);
  if (plain === undefined) return undefined;
  const kept = withLiteralsOf(text, plain);
  const printed = print(kept) === plain ? kept : plain;
  // INVARIANT: the formatted expression means the same. The printer promises that; this line verifies it.
  if (parse(printed).issues.length > 0 || !sameTokens(text, printed)) return undefined;
  const written = isBlock(node)
    ? blockOf(part.text.slice(node.start, node.end), printed, indent)
    : flowOf(node.style, printed);
  if (written === undefined || written === part.text.slice(node.start, node.end)) return undefined;
  return { range: document.range(part, node.start, node.end), newText: written };
}

/** Returns a printed expression with its strings and numbers as the source writes them: `'a'`, `r"\d"`, `0x1F`. */
function withLiteralsOf(source: string, printed: string): string {
  const literalsOf = (text: string): readonly CelToken[] =>
    celTokens(text).filter(({ kind }) => kind === 'text' || kind === 'number');
  const written = literalsOf(source);
  const places = literalsOf(printed);
  if (written.length !== places.length) return printed;
  let end = 0;
  const pieces = places.map((place, i) => {
    const before = printed.slice(end, place.start);
    end = place.end;
    return before + (written[i]?.text ?? '');
  });
  return pieces.join('') + printed.slice(end);
}

/** The edits that format the expressions of some lines. */
export function formatExpressions(
  document: TextDocument,
  { start, end }: Range,
): readonly TextEdit[] {
  const edits = new Map<string, TextEdit>();
  for (let { line } = start; line <= end.line; line++) {
    for (const offset of [document.lines.startOf(line), document.lines.endOf(line)]) {
      const found = expressionAt(document, document.lines.positionAt(offset));
      const edit = found && formatExpression(found);
      if (edit !== undefined) edits.set(JSON.stringify(edit.range), edit);
    }
  }
  return [...edits.values()];
}

/** Whether two texts have the same names and values in the same order; brackets and quotes may differ. */
function sameTokens(left: string, right: string): boolean {
  const names = (text: string): string =>
    celTokens(text)
      .filter(
        ({ kind, text: each }) => kind === 'name' || (kind === 'symbol' && !/^[()]$/.test(each)),
      )
      .map(({ text: each }) => each)
      .join(' ');
  return names(left).replace(/, (?=[\]}])/g, '') === names(right);
}

function blockOf(source: string, printed: string, indent: number): string {
  const newline = source.indexOf('\n');
  const header = newline === -1 ? source : source.slice(0, newline);
  const lines = printed.split('\n').map((line) => `${' '.repeat(indent)}${line.trimEnd()}`);
  return `${header}\n${lines.join('\n')}${source.slice(source.trimEnd().length).includes('\n') ? '\n' : ''}`;
}

function flowOf(style: string, printed: string): string | undefined {
  if (printed.includes('\n')) return undefined;
  if (style === 'single') return `'${printed.replaceAll("'", "''")}'`;
  if (style === 'double') return JSON.stringify(printed);
  const isPlain =
    /^[A-Za-z(]/.test(printed) &&
    !/: |:$| #/.test(printed) &&
    !/^(?:true|false|null)$/.test(printed);
  if (isPlain) return printed;
  const isDouble = printed.includes("'") && !/["\\]/.test(printed);
  return isDouble ? `"${printed}"` : `'${printed.replaceAll("'", "''")}'`;
}
