import { defined, getOrMake } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import {
  type ComprehensionExpression,
  childrenOf,
  type Expression,
  printExpression,
} from '@kubeadmit/cel/syntax';
import { isList } from '@kubeadmit/cel/values';
import type { ObservedEvaluation } from '@kubeadmit/engine';
import { partsOf, partWith } from './deciding-parts.ts';
import type { ExplainedPart, ExplainedStep, ExplainedTurn } from './explained-expression.ts';
import { type LineOfPath, type Names, type ObjectPath, objectPath } from './object-paths.ts';
import { elementText, valueText } from './value-text.ts';

/** The options of explaining steps. */
export interface StepOptions {
  readonly lineOf: LineOfPath;
  /** Where the variables of the policy lie in the object, by their names. */
  readonly variables: ReadonlyMap<string, ObjectPath>;
  /** The line of the policy in which a place of the expression lies. */
  readonly policyLine: (position: number) => number | undefined;
  /** The maximum length of values, and the number of loop rounds that are shown completely. */
  readonly longestValue: number;
  readonly mostTurns: number;
}

/** The recorded evaluation of an expression. */
export interface ObservedSteps {
  readonly steps: readonly ExplainedStep[];
  /** Absent if the expression is not a choice. */
  readonly parts?: readonly ExplainedPart[];
}

/**
 * Returns the values of relevant subexpressions: paths, calls, the parts of `&&`, `||` and `? :` with the deciding
 * one, and the last argument of a loop for each element. Literals and prefixes of a longer path are left out.
 */
export function stepsOf(
  { checked, values }: Pick<ObservedEvaluation, 'checked' | 'values'>,
  options: StepOptions,
): ObservedSteps {
  return new Steps(options).whole(checked.expression, values, new Map());
}

type Observed = ObservedEvaluation['values'];

class Steps {
  readonly #options: StepOptions;

  constructor(options: StepOptions) {
    this.#options = options;
  }

  /** The steps of an expression and the parts that it chooses between. */
  whole(root: Expression, values: Observed, names: Names, isWhole = false): ObservedSteps {
    const found = latest(values);
    const leaves = partsOf(root, found);
    const partOf = partWith(leaves);
    const steps = this.of(root, values, names, { isWhole, partOf });
    if (leaves.length < 2) return { steps };
    const parts = leaves.map(({ expression, start, isDecisive }): ExplainedPart => {
      const value = found.get(expression.id);
      const policyLine = this.#options.policyLine(start);
      return defined({
        expression: printExpression(expression),
        value: value === undefined ? undefined : this.#text(value),
        isDecisive,
        policyLine,
      });
    });
    return { steps, parts };
  }

  of(
    root: Expression,
    values: Observed,
    names: Names,
    {
      isWhole,
      partOf,
    }: { readonly isWhole: boolean; readonly partOf: ReturnType<typeof partWith> },
  ): ExplainedStep[] {
    const found = latest(values);
    const steps: ExplainedStep[] = [];
    const visit = (expression: Expression, around: Expression | undefined): void => {
      const own = found.get(expression.id);
      if (own !== undefined && around !== undefined && isTelling(expression, around)) {
        this.#add(steps, expression, { value: own, names, part: partOf(expression) });
      }
      for (const child of toldOf(expression)) visit(child, expression);
      const inner = loopBody(expression);
      if (inner === undefined || expression.kind !== 'comprehension') return;
      const turns = this.#turns(expression, inner, values, names);
      if (turns.length === 0) return;
      const { mostTurns } = this.#options;
      const shown = turns
        .slice(0, mostTurns)
        .map((turn) => turn.value)
        .join(', then ');
      const more = turns.length > mostTurns ? ', …' : '';
      const value = `${shown}${more}`;
      steps.push(
        defined({ expression: printExpression(inner), value, part: partOf(expression), turns }),
      );
    };
    visit(root, isWhole ? root : undefined);
    return steps;
  }

  #add(
    steps: ExplainedStep[],
    expression: Expression,
    { value, names, part }: { readonly value: Value; names: Names; part: number | undefined },
  ): void {
    const text = printExpression(expression);
    if (steps.some((step) => step.expression === text && step.part === part)) return;
    const path = objectPath(expression, names, this.#options.variables);
    const place = path === undefined ? undefined : this.#options.lineOf(path);
    steps.push(defined({ expression: text, value: this.#text(value), ...place, part }));
  }

  #text(value: Value): string {
    return valueText(value, this.#options.longestValue);
  }

  /** Returns the result of each round: its evaluated expressions, and its element. */
  #turns(
    loop: ComprehensionExpression,
    inner: Expression,
    values: Observed,
    names: Names,
  ): ExplainedTurn[] {
    const ids = idsIn(inner);
    const range = values.findLast(({ expression }) => expression.id === loop.range.id)?.value;
    const elements = isList(range as Value) ? [...(range as Iterable<Value>)] : [];
    const path = objectPath(loop.range, names, this.#options.variables);
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
        value: this.#text(observed.value),
        ...(index < this.#options.mostTurns ? this.whole(inner, own, inside, true) : { steps: [] }),
      });
      own = [];
    }
    return turns;
  }
}

/** The value that each expression had at last, by its id. */
function latest(values: Observed): ReadonlyMap<number, Value> {
  return new Map(values.map(({ expression, value }) => [expression.id, value]));
}

function loopBody(expression: Expression): Expression | undefined {
  return expression.kind === 'comprehension' && expression.macro?.name !== 'bind'
    ? expression.macro?.arguments.at(-1)
    : undefined;
}

const knownIds = new WeakMap<Expression, ReadonlySet<number>>();

/** The ids of an expression and all within it. */
function idsIn(expression: Expression): ReadonlySet<number> {
  return getOrMake(knownIds, expression, () => {
    const ids = new Set<number>();
    const add = (each: Expression): void => {
      ids.add(each.id);
      for (const child of childrenOf(each)) add(child);
      if (each.kind === 'comprehension') each.macro?.arguments.forEach(add);
    };
    add(expression);
    return ids;
  });
}

function isTelling(expression: Expression, around: Expression): boolean {
  // A chain of one operator, such as `a + b + c`, is explained by its parts.
  const isLink =
    expression.kind === 'call' &&
    around.kind === 'call' &&
    expression.function === around.function &&
    expression.function.endsWith('_');
  if (isLink) return false;
  return ['select', 'call', 'comprehension', 'identifier'].includes(expression.kind);
}

/** Macros that evaluate their content at most once. */
const evaluatedOnce: ReadonlySet<string> = new Set(['optMap', 'optFlatMap']);

/** Returns the parts of an expression that are explained one by one. */
function toldOf(expression: Expression): readonly Expression[] {
  const { macro } = expression;
  if (expression.kind === 'call' && macro !== undefined) {
    const body = evaluatedOnce.has(macro.name) ? macro.arguments.slice(1) : [];
    return macro.target === undefined ? body : [macro.target, ...body];
  }
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
