import type { Expression } from './expression.ts';
import { accumulatorName, type ExpressionBuilder, type Macro, MacroError } from './macro.ts';

// The macros of CEL (cel-spec, "Macros") and of its optional types, with the trees that cel-go makes of them.

/** `has(a.b)`: whether the field or key is there. */
const hasMacro: Macro = {
  name: 'has',
  arity: 1,
  member: false,
  expand(build, _target, [value]) {
    if (value?.kind !== 'select') {
      return value && new MacroError('invalid argument to has() macro', value);
    }
    return build.presenceTest(value.operand, value.field);
  },
};

/** A macro that asks for a truth value of each element. */
export type Quantifier = 'all' | 'exists' | 'existsOne';

/** The range of a loop, and the names of its variables. */
export interface LoopParts {
  readonly range: Expression;
  readonly variable: string;
  readonly secondVariable?: string | undefined;
}

/** `all`, `exists` or `exists_one` as a loop. */
export function quantify(
  quantifier: Quantifier,
  build: ExpressionBuilder,
  { range, variable, secondVariable }: LoopParts,
  predicate: Expression,
): Expression {
  if (quantifier === 'all') {
    return build.comprehension({
      range,
      variable,
      secondVariable,
      initial: build.literal(true),
      condition: build.call('@not_strictly_false', build.accumulator()),
      step: build.call('_&&_', build.accumulator(), predicate),
      result: build.accumulator(),
    });
  }
  if (quantifier === 'exists') {
    return build.comprehension({
      range,
      variable,
      secondVariable,
      initial: build.literal(false),
      condition: build.call('@not_strictly_false', build.call('!_', build.accumulator())),
      step: build.call('_||_', build.accumulator(), predicate),
      result: build.accumulator(),
    });
  }
  return build.comprehension({
    range,
    variable,
    secondVariable,
    initial: build.literal(0),
    condition: build.literal(true),
    step: build.call(
      '_?_:_',
      predicate,
      build.call('_+_', build.accumulator(), build.literal(1)),
      build.accumulator(),
    ),
    result: build.call('_==_', build.accumulator(), build.literal(1)),
  });
}

/** Collects `element` for each round in which `predicate`, if there is one, holds. */
export function collect(
  build: ExpressionBuilder,
  { range, variable, secondVariable }: LoopParts,
  predicate: Expression | undefined,
  element: Expression,
): Expression {
  const initial = build.list();
  const condition = build.literal(true);
  const added = build.call('_+_', build.accumulator(), build.list(element));
  return build.comprehension({
    range,
    variable,
    secondVariable,
    initial,
    condition,
    step:
      predicate === undefined ? added : build.call('_?_:_', predicate, added, build.accumulator()),
    result: build.accumulator(),
  });
}

function loopVariable(value: Expression, mistake: string): string | MacroError {
  if (value.kind !== 'identifier') return new MacroError(mistake, value);
  return isAccumulator(value.name)
    ? new MacroError('iteration variable overwrites accumulator variable', value)
    : value.name;
}

/** Whether a name is that of an accumulator, in trees of now or of before. */
export function isAccumulator(name: string): boolean {
  return name === accumulatorName || name === '__result__';
}

function quantifierMacro(name: string, quantifier: Quantifier): Macro {
  return {
    name,
    arity: 2,
    member: true,
    expand(build, range, [first, predicate]) {
      if (range === undefined || first === undefined || predicate === undefined) return undefined;
      const variable = loopVariable(first, 'argument must be a simple name');
      return variable instanceof MacroError
        ? variable
        : quantify(quantifier, build, { range, variable }, predicate);
    },
  };
}

function mapMacro(arity: 2 | 3): Macro {
  return { name: 'map', arity, member: true, expand: expandMap };
}

/** The loop of `map`, with two arguments or three. */
export function expandMap(
  build: ExpressionBuilder,
  range: Expression | undefined,
  values: readonly Expression[],
): Expression | MacroError | undefined {
  const first = values[0];
  const element = values.at(-1);
  if (range === undefined || first === undefined || element === undefined) return undefined;
  const variable = loopVariable(first, 'argument is not an identifier');
  return variable instanceof MacroError
    ? variable
    : collect(build, { range, variable }, values.length === 3 ? values[1] : undefined, element);
}

const filterMacro: Macro = {
  name: 'filter',
  arity: 2,
  member: true,
  expand(build, range, [first, predicate]) {
    if (range === undefined || first === undefined || predicate === undefined) return undefined;
    const variable = loopVariable(first, 'argument is not an identifier');
    return variable instanceof MacroError
      ? variable
      : collect(build, { range, variable }, predicate, first);
  },
};

/** `has`, `all`, `exists`, `exists_one`, `map` and `filter`. */
export const standardMacros: readonly Macro[] = [
  hasMacro,
  quantifierMacro('all', 'all'),
  quantifierMacro('exists', 'exists'),
  quantifierMacro('exists_one', 'existsOne'),
  mapMacro(2),
  mapMacro(3),
  filterMacro,
];

/** `variable` bound to `value`, computed when first used, in `body`: a loop that never runs. */
export function bind(
  build: ExpressionBuilder,
  variable: string,
  value: Expression,
  body: Expression,
): Expression {
  return build.comprehension({
    range: build.list(),
    variable: '#unused',
    accumulator: variable,
    initial: value,
    condition: build.literal(false),
    step: build.identifier(variable),
    result: body,
  });
}

function optionalMapMacro(name: string, flat: boolean): Macro {
  return {
    name,
    arity: 2,
    member: true,
    expand(build, target, [variable, body]) {
      if (target === undefined || variable === undefined || body === undefined) return undefined;
      if (variable.kind !== 'identifier') {
        return new MacroError(`${name}() variable name must be a simple identifier`, variable);
      }
      const bound = bind(build, variable.name, build.memberCall('value', build.copy(target)), body);
      return build.call(
        '_?_:_',
        build.memberCall('hasValue', target),
        flat ? bound : build.call('optional.of', bound),
        build.call('optional.none'),
      );
    },
  };
}

/** `optMap` and `optFlatMap`. */
export const optionalMacros: readonly Macro[] = [
  optionalMapMacro('optMap', false),
  optionalMapMacro('optFlatMap', true),
];
