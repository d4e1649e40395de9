import { childrenOf, type Expression, loopMacros, parseExpression } from '@kubeadmit/cel/syntax';
import { type ExpressionRole, startOf } from '@kubeadmit/lint/unstable-internal';

/** The outcome that must occur for a part of an expression. */
export type Wanted = 'evaluated' | 'true' | 'false';

/** Something that tests can show of an expression: a part of it, and a value that it has to have once. */
export interface CoveragePoint {
  /** The part: `whole`, an operand of `&&` or `||`, the condition of `? :`, the body of a loop. */
  readonly part: 'expression' | 'operand' | 'condition' | 'loop';
  readonly wanted: Wanted;
  /** The start of the part, in UTF-16 units, where its value is reported. */
  readonly position: number;
  /** Where people would point at. */
  readonly start: number;
  /** The text of the part. */
  readonly text: string;
}

/** Loops whose body is true or false. */
const tests: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne', 'filter']);

/** Everything that tests can show of an expression; nothing of one that cannot be parsed. */
export function pointsOf(text: string, role: ExpressionRole): readonly CoveragePoint[] {
  const { expression } = parseExpression(text);
  if (expression === undefined) return [];
  const points: CoveragePoint[] = [];
  const add = (part: CoveragePoint['part'], node: Expression, values: readonly Wanted[]): void => {
    // A constant cannot have another value.
    if (node.kind === 'literal' && part !== 'expression') return;
    const start = startOf(node, text);
    const own = {
      part,
      position: node.position,
      start,
      text: text.slice(start, endOf(node, text)),
    };
    points.push(...values.map((wanted) => ({ ...own, wanted })));
  };
  const isCondition = role === 'validation' || role === 'matchCondition';
  add('expression', expression, isCondition ? ['true', 'false'] : ['evaluated']);
  const visit = (node: Expression): void => {
    if (node.kind === 'call') {
      const { function: name, arguments: given, target } = node;
      if (name === '_&&_' || name === '_||_') {
        for (const operand of given.filter((each) => !isChain(each))) {
          add('operand', operand, ['true', 'false']);
        }
      }
      const [condition] = given;
      if (name === '_?_:_' && condition !== undefined)
        add('condition', condition, ['true', 'false']);
      const body = given.at(-1);
      if (loopMacros.has(name) && target !== undefined && given.length > 1 && body !== undefined) {
        add('loop', body, tests.has(name) ? ['true', 'false'] : ['evaluated']);
      }
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(expression);
  return unique(points);
}

function isChain(node: Expression): boolean {
  return node.kind === 'call' && (node.function === '_&&_' || node.function === '_||_');
}

/** A part may be the body of a loop and a condition at once. */
function unique(points: readonly CoveragePoint[]): readonly CoveragePoint[] {
  const seen = new Set<string>();
  return points.filter(({ position, wanted }) => {
    const key = `${position} ${wanted}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** About where a node ends: with the last of its parts, and brackets that were opened in it. */
function endOf(node: Expression, text: string): number {
  const parts = childrenOf(node).map((child) => endOf(child, text));
  let end = Math.max(tokenEnd(node, text), ...parts);
  for (let open = openBrackets(text.slice(startOf(node, text), end)); open > 0; open--) {
    const close = text.slice(end).search(/[)\]}]/);
    if (close === -1) return text.length;
    end += close + 1;
  }
  return end;
}

function tokenEnd({ kind, position }: Expression, text: string): number {
  const rest = text.slice(position);
  const token =
    /^(?:[rRbB]{0,2}("""|'''|"|')(?:\\.|(?!\1)[^\\])*\1|\.?\??\s*[\w$]+(?:\.\d+)?|[^\w\s])/s.exec(
      rest,
    );
  return position + (kind === 'call' ? 1 : (token?.[0].length ?? 1));
}

function openBrackets(text: string): number {
  const bare = text.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '');
  const count = (bracket: RegExp): number => bare.match(bracket)?.length ?? 0;
  return count(/[([{]/g) - count(/[)\]}]/g);
}
