import { member } from '@kubeadmit/apimachinery';
import {
  CelError,
  type ComprehensionExpression,
  childrenOf,
  type Expression,
  formatLiteral,
  isList,
  printExpression,
  type Value,
} from '@kubeadmit/cel';
import type { ObservedEvaluation } from '@kubeadmit/engine';
import { JsonPatchValue, ObjectValue } from '@kubeadmit/engine/internal';
import type { ExplainedStep, ExplainedTurn } from './explanation.ts';

/**
 * The values of the expressions within another that tell something: what is read, what calls give, the
 * parts of `&&`, `||` and `? :`, and what the last argument of a loop gave in its turns. Literals and
 * operands of a longer path are left out.
 */
export function stepsOf(
  { checked, values }: Pick<ObservedEvaluation, 'checked' | 'values'>,
  lineOf: LineOfPath = () => undefined,
): ExplainedStep[] {
  return new Steps(lineOf).of(checked.expression, values, new Map());
}

/** Gives the line of a manifest at which a path of its object stands. */
export type LineOfPath = (path: readonly (string | number)[]) => number | undefined;

type Observed = ObservedEvaluation['values'];
type Names = ReadonlyMap<string, readonly (string | number)[] | undefined>;

class Steps {
  readonly #lineOf: LineOfPath;

  constructor(lineOf: LineOfPath) {
    this.#lineOf = lineOf;
  }

  of(root: Expression, values: Observed, names: Names, isWhole = false): ExplainedStep[] {
    const found = new Map<number, Value>();
    for (const { expression, value } of values) found.set(expression.id, value);
    const steps: ExplainedStep[] = [];
    const visit = (expression: Expression, around: Expression | undefined): void => {
      const value = found.get(expression.id);
      if (value !== undefined && around !== undefined && isTelling(expression, around)) {
        this.#add(steps, expression, value, names);
      }
      for (const child of partsOf(expression)) visit(child, expression);
      const inner = loopBody(expression);
      if (inner === undefined || expression.kind !== 'comprehension') return;
      const turns = this.#turns(expression, inner, values, names);
      if (turns.length === 0) return;
      const shown = turns
        .slice(0, mostTurns)
        .map((turn) => turn.value)
        .join(', then ');
      const more = turns.length > mostTurns ? ', …' : '';
      steps.push({ expression: printExpression(inner), value: `${shown}${more}`, turns });
    };
    visit(root, isWhole ? root : undefined);
    return steps;
  }

  #add(steps: ExplainedStep[], expression: Expression, value: Value, names: Names): void {
    const text = printExpression(expression);
    if (steps.some((step) => step.expression === text)) return;
    const path = objectPath(expression, names);
    const line = path === undefined ? undefined : this.#lineOf(path);
    steps.push({
      expression: text,
      value: valueText(value),
      ...(line === undefined ? {} : { line }),
    });
  }

  /** What each turn gave: what was evaluated up to its end, and the element that it was about. */
  #turns(
    loop: ComprehensionExpression,
    inner: Expression,
    values: Observed,
    names: Names,
  ): ExplainedTurn[] {
    const ids = idsIn(inner);
    const range = values.findLast(({ expression }) => expression.id === loop.range.id)?.value;
    const elements = isList(range as Value) ? [...(range as Iterable<Value>)] : [];
    const path = objectPath(loop.range, names);
    const turns: ExplainedTurn[] = [];
    let own: { expression: Expression; value: Value }[] = [];
    for (const observed of values) {
      if (!ids.has(observed.expression.id)) continue;
      own.push(observed);
      if (observed.expression.id !== inner.id) continue;
      const index = turns.length;
      const inside = new Map(names);
      inside.set(loop.variable, path && [...path, index]);
      turns.push({
        element: elementText(path, index, elements[index]),
        value: valueText(observed.value),
        steps: index < mostTurns ? this.of(inner, own, inside, true) : [],
      });
      own = [];
    }
    return turns;
  }
}

function loopBody(expression: Expression): Expression | undefined {
  return expression.kind === 'comprehension' && expression.macro?.name !== 'bind'
    ? expression.macro?.arguments.at(-1)
    : undefined;
}

const knownIds = new WeakMap<Expression, ReadonlySet<number>>();

/** The ids of an expression and all within it. */
function idsIn(expression: Expression): ReadonlySet<number> {
  const known = knownIds.get(expression);
  if (known !== undefined) return known;
  const ids = new Set<number>();
  const add = (each: Expression): void => {
    ids.add(each.id);
    for (const child of childrenOf(each)) add(child);
    if (each.kind === 'comprehension') each.macro?.arguments.forEach(add);
  };
  add(expression);
  knownIds.set(expression, ids);
  return ids;
}

/** How people call an element: `containers[1] "web"`. */
function elementText(
  path: readonly (string | number)[] | undefined,
  index: number,
  value: Value | undefined,
): string {
  const list = path?.findLast((step) => typeof step === 'string') ?? '';
  const name = member(value, 'name');
  const identity = typeof value === 'string' ? value : typeof name === 'string' ? name : undefined;
  return `${list}[${index}]${identity === undefined ? '' : ` ${JSON.stringify(identity)}`}`;
}

/** The path in the object that an expression reads. */
function objectPath(
  expression: Expression,
  names: Names,
): readonly (string | number)[] | undefined {
  if (expression.kind === 'identifier') {
    return expression.name === 'object' ? [] : names.get(expression.name);
  }
  if (expression.kind === 'select' && !expression.test) {
    const from = objectPath(expression.operand, names);
    return from && [...from, expression.field];
  }
  if (expression.kind !== 'call' || expression.function !== '_[_]') return undefined;
  const [operand, index] = expression.arguments;
  const from = operand && objectPath(operand, names);
  const key = index?.kind === 'literal' ? index.value : undefined;
  return from && (typeof key === 'string' || typeof key === 'number') ? [...from, key] : undefined;
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
  if (!(value instanceof JsonPatchValue)) return formatLiteral(value);
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
