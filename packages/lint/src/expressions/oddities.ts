import { Program } from '@kubeadmit/cel';
import {
  childrenOf,
  comparisonOperators,
  declaredVariables,
  type Expression,
  loopMacros,
  printExpression,
} from '@kubeadmit/cel/syntax';
import { isEqual } from '@kubeadmit/cel/values';
import { baseEnvironment } from '@kubeadmit/engine';
import type { ExpressionFinding, PolicyExpression } from './policy-expressions.ts';
import { policyVariables } from './policy-variables.ts';

type Finding = Omit<ExpressionFinding, 'field'>;

/** Returns the oddities of an expression that do not depend on its context. */
export function odditiesOf(expression: PolicyExpression): readonly ExpressionFinding[] {
  const { tree, field, role } = expression;
  if (tree === undefined) return [];
  const isValidation = role === 'validation' || role === 'matchCondition';
  return [
    ...constantParts(tree, isValidation),
    ...shadowedNames(tree, []),
    ...nestedLoops(tree, 0),
    ...(role === 'matchCondition' ? namespaceReads(tree) : []),
  ].map((finding) => ({ ...finding, field }));
}

/**
 * Parts that are always the same. A whole validation that is `false` is not converted: it refuses all that its policy
 * matches.
 */
function constantParts(tree: Expression, isValidation: boolean): readonly Finding[] {
  const value = isValidation ? constantOf(tree) : undefined;
  if (value === true) return [constant(tree, 'is always true, so it never denies')];
  if (value === false) return [];
  return partsOf(tree).flatMap((part) => {
    // Calls that a macro produced are not written by the author.
    if (part.kind !== 'call' || part.macro !== undefined) return [];
    const [left, right, third] = part.arguments;
    if (part.function === '_?_:_') {
      const value = left && constantOf(left);
      if (left !== undefined && value !== undefined) return [constant(left, `is always ${value}`)];
      const isSame = right && third && isSameText(right, third);
      return isSame === true
        ? [constant(part, 'has the same expression on both sides of `:`')]
        : [];
    }
    if (left === undefined || right === undefined) return [];
    if (part.function === '_&&_' || part.function === '_||_') {
      const found = [left, right].find((each) => constantOf(each) !== undefined);
      if (found !== undefined) return [constant(found, `is always ${constantOf(found)}`)];
    }
    const isTwice = twice.has(part.function) && isSameText(left, right);
    return isTwice
      ? [constant(part, 'has the same expression on both sides')]
      : sizeComparison(part, left, right);
  });
}

/** Whether two parts are written alike; parts of two kinds are not, which takes less than to write both. */
function isSameText(left: Expression, right: Expression): boolean {
  return left.kind === right.kind && printExpression(left) === printExpression(right);
}

const twice: ReadonlySet<string> = new Set([...comparisonOperators, '_&&_', '_||_']);

function sizeComparison(part: Expression, left: Expression, right: Expression): readonly Finding[] {
  if (part.kind !== 'call' || !isSize(left) || right.kind !== 'literal') return [];
  if (!isEqual(right.value, 0)) return [];
  if (part.function === '_>=_') return [constant(part, 'is always true: sizes are never negative')];
  return part.function === '_<_'
    ? [constant(part, 'is always false: sizes are never negative')]
    : [];
}

function isSize(expression: Expression): boolean {
  return expression.kind === 'call' && expression.function === 'size';
}

function constant(expression: Expression, what: string): Finding {
  const text = printExpression(expression);
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return {
    code: 'constant-expression',
    position: expression.position,
    message: `\`${shown}\` ${what}`,
  };
}

/** The truth value of an expression that reads nothing; undefined for any other. */
function constantOf(expression: Expression): boolean | undefined {
  if (!isClosed(expression)) return undefined;
  const environment = baseEnvironment();
  const { checked } = environment.compile(printExpression(expression));
  const program = checked && environment.plan(checked);
  const value = program instanceof Program ? program.evaluate({}).value : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

// A loop over a constant list reads nothing either, but is rarely meant to be constant.
function isClosed(expression: Expression): boolean {
  if (expression.kind === 'identifier' || expression.kind === 'comprehension') return false;
  return childrenOf(expression).every(isClosed);
}

function shadowedNames(expression: Expression, around: readonly string[]): readonly Finding[] {
  const { macro, position } = expression;
  if (macro === undefined) {
    return childrenOf(expression).flatMap((each) => shadowedNames(each, around));
  }
  const { name: called, target, arguments: values } = macro;
  const count = declaredVariables(called, values.length);
  const own = values
    .slice(0, count)
    .flatMap((value) => (value.kind === 'identifier' ? [value.name] : []));
  const found = own
    .filter((name) => policyVariables.includes(name) || around.includes(name))
    .map((name) => ({
      code: 'shadowed-name',
      position,
      message: `\`${name}\` hides ${around.includes(name) ? 'the variable of the enclosing loop' : `the \`${name}\` of the policy`}: rename it`,
    }));
  const outer = target === undefined ? [] : shadowedNames(target, around);
  const inner = values.slice(count).flatMap((value) => shadowedNames(value, [...around, ...own]));
  return [...found, ...outer, ...inner];
}

/** The number of nested loops from which the cost is reported as unbounded. */
const mostLoops = 3;

function nestedLoops(expression: Expression, depth: number): readonly Finding[] {
  const { macro, position } = expression;
  if (macro === undefined) {
    return childrenOf(expression).flatMap((each) => nestedLoops(each, depth));
  }
  const { name, target, arguments: values } = macro;
  const isLoop = loopMacros.has(name) && target?.kind !== 'list';
  const inside = depth + (isLoop ? 1 : 0);
  if (isLoop && inside === mostLoops) {
    const message = `${mostLoops} nested loops over unbounded lists: for long lists, the cost exceeds the budget and the evaluation fails`;
    return [{ code: 'unbounded-cost', position, message }];
  }
  return [
    ...(target === undefined ? [] : nestedLoops(target, depth)),
    ...values.flatMap((value) => nestedLoops(value, inside)),
  ];
}

function namespaceReads(tree: Expression): readonly Finding[] {
  const read = partsOf(tree).find(
    (part) => part.kind === 'identifier' && part.name === 'namespaceObject',
  );
  if (read === undefined) return [];
  const message =
    'match conditions do not see the namespace: `namespaceObject` is null in them; use a namespaceSelector, or ask in the validations';
  return [{ code: 'namespace-in-condition', position: read.position, message }];
}

/** An expression and all within it, as they are written: of macros their arguments. */
function partsOf(expression: Expression): readonly Expression[] {
  const { macro } = expression;
  if (macro === undefined) return [expression, ...childrenOf(expression).flatMap(partsOf)];
  const written = macro.target === undefined ? macro.arguments : [macro.target, ...macro.arguments];
  return [expression, ...written.flatMap(partsOf)];
}
