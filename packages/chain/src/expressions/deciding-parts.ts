import { CelError, type Value } from '@kubeadmit/cel';
import { childrenOf, type Expression } from '@kubeadmit/cel/syntax';

/** A part of a choice: no `&&`, `||`, `? :` or `!` of others itself. */
export interface DecidingPart {
  readonly expression: Expression;
  /** Where its text begins. */
  readonly start: number;
  /** Whether this part decided the result. */
  readonly isDecisive: boolean;
}

/**
 * Returns the parts between which an expression chooses, in the order of the text; the expression itself if it is
 * not a choice.
 *
 * The false parts decide a false `&&`, the true parts a true `||`; otherwise all evaluated parts. A condition
 * decides together with the selected branch. The erroneous parts decide an error.
 *
 * @param values the value of each evaluated expression, by id.
 */
export function partsOf(
  root: Expression,
  values: ReadonlyMap<number, Value>,
): readonly DecidingPart[] {
  const parts: DecidingPart[] = [];
  const visit = (expression: Expression, isDecisive: boolean): void => {
    const operands = operandsOf(expression);
    const value = values.get(expression.id);
    if (operands === undefined) {
      const start = startOf(expression);
      parts.push({ expression, start, isDecisive: isDecisive && value !== undefined });
      return;
    }
    for (const [index, operand] of operands.entries()) {
      visit(operand, isDecisive && decides(operands, index, { expression, value, values }));
    }
  };
  visit(root, true);
  return parts;
}

/** Tells which part an expression belongs to, by number; nothing where there is one part only. */
export function partWith(
  parts: readonly DecidingPart[],
): (expression: Expression) => number | undefined {
  if (parts.length < 2) return () => undefined;
  const numbers = new Map<number, number>();
  const add = (expression: Expression, number: number): void => {
    numbers.set(expression.id, number);
    for (const child of childrenOf(expression)) add(child, number);
  };
  for (const [number, { expression }] of parts.entries()) add(expression, number);
  return ({ id }) => numbers.get(id);
}

/**
 * Returns the operands of a choice, or `undefined` for other expressions, such as the choice in the expansion of
 * `optMap`.
 */
function operandsOf(expression: Expression): readonly Expression[] | undefined {
  if (expression.kind !== 'call' || expression.macro !== undefined) return undefined;
  const { function: name, arguments: operands } = expression;
  if (name === '_&&_' || name === '_||_' || name === '_?_:_') return operands;
  const [first] = operands;
  return name === '!_' && first !== undefined ? operandsOf(first) && [first] : undefined;
}

interface Choice {
  readonly expression: Expression;
  readonly value: Value | undefined;
  readonly values: ReadonlyMap<number, Value>;
}

function decides(
  operands: readonly Expression[],
  index: number,
  { expression, value, values }: Choice,
): boolean {
  const own = values.get(operands[index]?.id ?? 0);
  if (own === undefined) return false;
  if (expression.kind === 'call' && expression.function === '_&&_') {
    if (value === false) return own === false;
  } else if (expression.kind === 'call' && expression.function === '_||_') {
    if (value === true) return own === true;
  }
  // An error of a condition is that of the whole; its branches were not evaluated then.
  return value instanceof CelError ? own instanceof CelError : true;
}

function startOf(expression: Expression): number {
  return Math.min(expression.position, ...childrenOf(expression).map(startOf));
}
