import {
  CelError,
  type Expression,
  isList,
  literalText,
  printExpression,
  type Value,
} from '@kubeadmit/cel';
import { JsonPatchValue, ObjectValue, type ObservedEvaluation } from '@kubeadmit/engine';
import type { ExplainedStep } from './explanation.ts';

/**
 * The values of the expressions within another that tell something: what is read, what calls give, the
 * parts of `&&`, `||` and `? :`, and what the last argument of a loop gave in its turns. Literals and
 * operands of a longer path are left out.
 */
export function stepsOf({ checked, values }: ObservedEvaluation): ExplainedStep[] {
  const found = new Map<number, Value[]>();
  for (const { expression, value } of values) {
    const known = found.get(expression.id);
    if (known === undefined) found.set(expression.id, [value]);
    else known.push(value);
  }
  const steps: ExplainedStep[] = [];
  const visit = (expression: Expression, around: Expression | undefined): void => {
    const value = found.get(expression.id)?.at(-1);
    if (around !== undefined && value !== undefined && isTelling(expression, around)) {
      const text = printExpression(expression);
      if (!steps.some((step) => step.expression === text)) {
        steps.push({ expression: text, value: valueText(value) });
      }
    }
    const inner =
      expression.kind === 'comprehension' ? expression.macro?.arguments.at(-1) : undefined;
    const turns = inner === undefined ? undefined : found.get(inner.id);
    for (const child of partsOf(expression)) visit(child, expression);
    if (inner !== undefined && turns !== undefined) {
      const shown = turns.slice(0, mostTurns).map(valueText).join(', then ');
      const more = turns.length > mostTurns ? ', …' : '';
      steps.push({ expression: printExpression(inner), value: `${shown}${more}` });
    }
  };
  visit(checked.expression, undefined);
  return steps;
}

function isTelling(expression: Expression, around: Expression): boolean {
  // Of a chain of the same operator, such as `a + b + c`, the parts are told of.
  const isLink =
    expression.kind === 'call' &&
    around.kind === 'call' &&
    expression.function === around.function &&
    expression.function.endsWith('_');
  if (isLink) return false;
  return ['select', 'call', 'comprehension', 'identifier'].includes(expression.kind);
}

/** The parts of an expression that are told of one by one. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return [
        ...(expression.target === undefined ? [] : [expression.target]),
        ...expression.arguments,
      ];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.map(({ value }) => value);
    case 'struct':
      return expression.fields.map(({ value }) => value);
    case 'comprehension':
      return [expression.range];
    default:
      return [];
  }
}

const longest = 200;
const mostTurns = 10;

/** A value as a CEL literal, cut where it gets long. */
export function valueText(value: Value): string {
  if (value instanceof CelError) return `error: ${value.message}`;
  const text = wholeText(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function wholeText(value: Value): string {
  if (isList(value)) return `[${value.map(wholeText).join(', ')}]`;
  if (value instanceof ObjectValue) return structText(value.typeName, [...value.fields]);
  if (!(value instanceof JsonPatchValue)) return literalText(value);
  const { op, path, from, value: given } = value;
  const fields: [string, Value | undefined][] = [
    ['op', op],
    ['path', path],
    ['from', from === '' ? undefined : from],
    ['value', given],
  ];
  return structText('JSONPatch', fields);
}

function structText(name: string, fields: readonly [string, Value | undefined][]): string {
  const set = fields.flatMap(([field, value]) =>
    value === undefined ? [] : [`${field}: ${wholeText(value)}`],
  );
  return `${name}{${set.join(', ')}}`;
}
