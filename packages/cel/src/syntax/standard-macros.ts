import type { Expression } from './expression.ts';
import { accumulatorName, type ExpressionBuilder, type Macro, MacroError } from './macro.ts';

// The macros of CEL (cel-spec, "Macros"), of its optional types, of the two-variable comprehensions
// and of `sortBy`, with the trees that cel-go makes of them.

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

type Quantifier = 'all' | 'exists' | 'existsOne';

interface LoopParts {
  readonly range: Expression;
  readonly variable: string;
  readonly secondVariable?: string | undefined;
}

function quantify(
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
function collect(
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

function isAccumulator(name: string): boolean {
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

function expandMap(
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

function loopVariables(
  first: Expression,
  second: Expression,
): { readonly variable: string; readonly secondVariable: string } | MacroError {
  for (const value of [first, second]) {
    if (value.kind !== 'identifier') return new MacroError('argument must be a simple name', value);
  }
  const [variable, secondVariable] = [first, second].map((value) =>
    value.kind === 'identifier' ? value.name : '',
  ) as [string, string];
  if (variable === secondVariable) {
    return new MacroError(`duplicate variable name: ${variable}`, second);
  }
  for (const value of [first, second]) {
    if (value.kind === 'identifier' && isAccumulator(value.name)) {
      return new MacroError('iteration variable overwrites accumulator variable', value);
    }
  }
  return { variable, secondVariable };
}

/** A macro over two variables; the values after them are a predicate (or none) and a last one. */
function twoVariableMacro(
  name: string,
  arity: 3 | 4,
  expand: (
    build: ExpressionBuilder,
    parts: LoopParts & { readonly secondVariable: string },
    predicate: Expression | undefined,
    last: Expression,
  ) => Expression,
): Macro {
  return {
    name,
    arity,
    member: true,
    expand(build, range, values) {
      const [first, second] = values;
      const last = values.at(-1);
      if (range === undefined || first === undefined || second === undefined || !last) {
        return undefined;
      }
      const variables = loopVariables(first, second);
      return variables instanceof MacroError
        ? variables
        : expand(build, { range, ...variables }, arity === 4 ? values[2] : undefined, last);
    },
  };
}

function twoVariableQuantifier(name: string, quantifier: Quantifier): Macro {
  return twoVariableMacro(name, 3, (build, parts, _, predicate) =>
    quantify(quantifier, build, parts, predicate),
  );
}

/** Inserts into the accumulated map for each round in which `predicate`, if any, holds. */
function insertEach(
  build: ExpressionBuilder,
  parts: LoopParts,
  predicate: Expression | undefined,
  inserted: Expression,
): Expression {
  return build.comprehension({
    ...parts,
    initial: build.emptyMap(),
    condition: build.literal(true),
    step:
      predicate === undefined
        ? inserted
        : build.call('_?_:_', predicate, inserted, build.accumulator()),
    result: build.accumulator(),
  });
}

function transformMapMacro(arity: 3 | 4): Macro {
  return twoVariableMacro('transformMap', arity, (build, parts, predicate, value) =>
    insertEach(
      build,
      parts,
      predicate,
      build.call('cel.@mapInsert', build.accumulator(), build.identifier(parts.variable), value),
    ),
  );
}

function transformMapEntryMacro(arity: 3 | 4): Macro {
  return twoVariableMacro('transformMapEntry', arity, (build, parts, predicate, entry) =>
    insertEach(build, parts, predicate, build.call('cel.@mapInsert', build.accumulator(), entry)),
  );
}

function transformListMacro(arity: 3 | 4): Macro {
  return twoVariableMacro('transformList', arity, collect);
}

/** `all`, `exists`, `existsOne`, `transformList`, `transformMap` and `transformMapEntry` over two variables. */
export const twoVariableMacros: readonly Macro[] = [
  twoVariableQuantifier('all', 'all'),
  twoVariableQuantifier('exists', 'exists'),
  twoVariableQuantifier('existsOne', 'existsOne'),
  twoVariableQuantifier('exists_one', 'existsOne'),
  transformListMacro(3),
  transformListMacro(4),
  transformMapMacro(3),
  transformMapMacro(4),
  transformMapEntryMacro(3),
  transformMapEntryMacro(4),
];

/** `variable` bound to `value`, computed when first used, in `body`: a loop that never runs. */
function bind(
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

/** `list.sortBy(x, key)`. */
export const sortByMacro: Macro = {
  name: 'sortBy',
  arity: 2,
  member: true,
  expand(build, target, values) {
    if (target === undefined) return undefined;
    if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
      return new MacroError(
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
        target,
      );
    }
    const input = '@__sortBy_input__';
    const keys = expandMap(build, build.identifier(input), values);
    if (keys === undefined || keys instanceof MacroError) return keys;
    const sorted = build.memberCall('@sortByAssociatedKeys', build.identifier(input), keys);
    return bind(build, input, target, sorted);
  },
};

/** `cel.bind(name, value, body)`; not part of any Kubernetes version. */
export const bindMacro: Macro = {
  name: 'bind',
  arity: 3,
  member: true,
  expand(build, target, [variable, value, body]) {
    if (target?.kind !== 'identifier' || target.name !== 'cel' || !variable || !value || !body) {
      return undefined;
    }
    if (variable.kind !== 'identifier') {
      return new MacroError('cel.bind() variable names must be simple identifiers', variable);
    }
    return bind(build, variable.name, value, body);
  },
};
