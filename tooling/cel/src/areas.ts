import { phrases } from '@kubeadmit/random';
import { argumentCases } from './argument-cases.ts';
import { brokenSample } from './broken-sample.ts';
import type { GeneratedCase } from './generate/case.ts';
import { FAMILIES } from './libraries.ts';
import { makerOf } from './makers.ts';
import { versionCases } from './version-cases.ts';

// Cases by area, made from tables (each operator with each pair of kinds of operands, each key with each kind of value,
// each macro with each kind of range) or a sample of random ones. Prints JSON lines for `pnpm record eval`.

interface AreaCase {
  readonly id: string;
  readonly expression: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly kubernetesVersion?: string;
}

/** A literal of each kind and the same value as data. */
const operands: Readonly<Record<string, readonly [literal: string, data: unknown]>> = {
  int: ['7', 7],
  negative: ['-3', -3],
  zero: ['0', 0],
  largest: ['9223372036854775807', { $int: '9223372036854775807' }],
  uint: ['5u', { $uint: '5' }],
  double: ['2.5', 2.5],
  whole: ['2.0', { $double: '2' }],
  nan: ['double("NaN")', { $double: 'NaN' }],
  string: ['"héllo"', 'héllo'],
  empty: ['""', ''],
  bytes: ['b"ab"', { $bytes: 'YWI=' }],
  bool: ['true', true],
  null: ['null', null],
  list: ['[1, 2]', [1, 2]],
  map: ['{"a": 1}', { a: 1 }],
  timestamp: ['timestamp("2024-02-29T01:02:03.5Z")', { $timestamp: '2024-02-29T01:02:03.5Z' }],
  duration: ['duration("90m")', { $duration: '90m' }],
  type: ['int', undefined],
  optional: ['optional.of(1)', undefined],
  quantity: ['quantity("1k")', undefined],
  missing: ['object.missing', undefined],
};

const names = Object.keys(operands);
const data: Readonly<Record<string, unknown>> = Object.fromEntries(
  names.flatMap((name) => {
    const value = operands[name]?.[1];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** The fields of `object` that an expression names, so that a case says no more than it needs. */
function variablesOf(expression: string): Readonly<Record<string, unknown>> | undefined {
  if (!expression.includes('object')) return undefined;
  const used = names.filter((name) => new RegExp(`\\bobject\\W+${name}\\b`).test(expression));
  return {
    object: Object.fromEntries(used.flatMap((name) => (name in data ? [[name, data[name]]] : []))),
  };
}

/** The operand as a literal, or as a field of `object` where it is data too. */
function operand(name: string, isDynamic: boolean): string {
  const [literal = 'null', value] = operands[name] ?? [];
  return isDynamic && value !== undefined ? `object.${name}` : literal;
}

function* binaryOperators(isDynamic: boolean): Expressions {
  const operators = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'];
  for (const operator of operators) {
    for (const left of names) {
      for (const right of names) {
        yield `${operand(left, isDynamic)} ${operator} ${operand(right, isDynamic)}`;
      }
    }
  }
}

type Expressions = Generator<string, void, undefined>;

function* unaryForms(): Expressions {
  const forms = [
    (value: string) => `-${value}`,
    (value: string) => `-(${value})`,
    (value: string) => `!${value}`,
    (value: string) => `${value} ? 1 : 2`,
    (value: string) => `size(${value})`,
    (value: string) => `(${value}).size()`,
    (value: string) => `type(${value})`,
    (value: string) => `dyn(${value})`,
    (value: string) => `[${value}, ${value}]`,
    (value: string) => `{"k": ${value}}`,
    (value: string) => `{${value}: 1}`,
    (value: string) => `optional.ofNonZeroValue(${value})`,
    (value: string) => `optional.of(${value}).value()`,
    (value: string) => `[${value}][0]`,
    (value: string) => `"%s".format([${value}])`,
    (value: string) => `${value} in [${value}]`,
    (value: string) => `${value} in [1, 2, 7]`,
    (value: string) => `${value} in ["héllo", ""]`,
    ...['int', 'uint', 'double', 'string', 'bytes', 'bool', 'timestamp', 'duration'].map(
      (conversion) => (value: string) => `${conversion}(${value})`,
    ),
  ];
  for (const form of forms) {
    for (const name of names) {
      yield form(operand(name, false));
      yield form(operand(name, true));
    }
  }
}

function* selections(): Expressions {
  const keys = ['"a"', '0', '1', '-1', '9', '1u', '1.0', '1.5', 'true', 'null', '[1]', 'b"a"'];
  for (const name of names) {
    for (const isDynamic of [false, true]) {
      const value = operand(name, isDynamic);
      const target = value.startsWith('object.') ? value : `(${value})`;
      yield `${target}.a`;
      yield `has(${target}.a)`;
      yield `${target}.?a`;
      yield `${target}.?a.b`;
      yield `${target}.?a.orValue(5)`;
      for (const key of keys) {
        yield `${target}[${key}]`;
        yield `${target}[?${key}]`;
      }
      for (const key of names) yield `${target}[${operand(key, true)}]`;
    }
  }
}

function* comprehensions(): Expressions {
  const ranges = phrases`
    []  [1, 2, 3]  ["a", "b"]  {}  {"a": 1, "b": 2}  object.list  object.map  object.string
    object.null  object.missing  [0, 1]  [object.missing, 1]
  `;
  const predicates = phrases`
    true  false  x > 1  x == "a"  x / x == 1  x  object.missing  object.int  1 / 0 == 1
    x in [1, "a"]  object.bool  [1, 2].all(y, y != x)
  `;
  for (const range of ranges) {
    for (const predicate of predicates) {
      for (const macro of ['all', 'exists', 'exists_one', 'map', 'filter']) {
        yield `${range}.${macro}(x, ${predicate})`;
      }
      yield `${range}.map(x, ${predicate}, x)`;
      for (const macro of ['all', 'exists', 'existsOne', 'transformList', 'transformMap']) {
        yield `${range}.${macro}(i, x, ${predicate})`;
      }
      yield `${range}.transformMapEntry(i, x, {x: ${predicate}})`;
      yield `${range}.transformList(i, x, ${predicate}, i)`;
      yield `${range}.sortBy(x, ${predicate})`;
    }
  }
}

function* optionals(): Expressions {
  const values = phrases`
    optional.none()  optional.of(1)  optional.of("a")  optional.of(null)  object.?int
    object.?missing  object.?map.?a  object.map[?"b"]  object.list[?1]  {"a": 1}[?"a"]  [1][?5]
    object.int  object.missing  optional.of({"a": [1]})  optional.of([1, 2])
  `;
  const uses = [
    ...phrases`
      .hasValue()  .value()  .orValue(2)  .orValue("b")  .or(optional.of(3))  .or(object.?missing)
      .optMap(x, x)  .optMap(x, [x, x])  .optFlatMap(x, optional.of(x))  .optFlatMap(x, x)  .a
      .?a  [0]  [?0]  ["a"]  [?"a"]
    `,
    ...[' == optional.of(1)', ' == optional.none()', ' != null'],
    ...['.orValue(object.missing)', '.optMap(x, object.missing)'],
  ];
  for (const value of values) {
    for (const use of uses) yield `${value}${use}`;
    yield `[?${value}]`;
    yield `[?${value}, ?${value}, ?optional.of(9)]`;
    yield `{?"k": ${value}}`;
    yield `optional.unwrap([${value}])`;
    yield `has(${value}.a)`;
  }
}

const areas: Readonly<Record<string, () => Expressions>> = {
  operators: () => binaryOperators(false),
  'operators-dynamic': () => binaryOperators(true),
  unary: unaryForms,
  selections,
  comprehensions,
  optionals,
  arguments: argumentCases,
};

const [area = '', limit = '1000'] = process.argv.slice(2);
for (const input of casesOf(area)) process.stdout.write(`${JSON.stringify(input)}\n`);

/** Leaves out the variables, and the fields of `object`, that the expression does not name. */
function withoutUnused(input: GeneratedCase): GeneratedCase {
  const names = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(input.expression);
  const { object, ...others } = input.variables;
  const kept = Object.entries(others).filter(([name]) => names(name));
  if (!names('object')) {
    return { ...input, variables: Object.fromEntries(kept), ...declarationsOf(input, names) };
  }
  const isWhole = /\bobject\b(?!\.\??\w)/.test(input.expression);
  const fields = Object.entries(object as object).filter(([name]) => isWhole || names(name));
  return {
    ...input,
    variables: { object: Object.fromEntries(fields), ...Object.fromEntries(kept) },
    ...declarationsOf(input, names),
  };
}

function declarationsOf(
  { declarations = {} }: GeneratedCase,
  names: (name: string) => boolean,
): Pick<GeneratedCase, 'declarations'> {
  return {
    declarations: Object.fromEntries(Object.entries(declarations).filter(([name]) => names(name))),
  };
}

function casesOf(name: string): readonly AreaCase[] {
  if (name === 'random') {
    const next = makerOf('expressions', 2026);
    return Array.from({ length: Number(limit) }, (_, index) =>
      withoutUnused(next(`random-${index}`)),
    );
  }
  if (name === 'versions') {
    return [...versionCases()].map((input, index) => ({ id: `versions-${index}`, ...input }));
  }
  if (name === 'syntax') return numbered(name, brokenSample(Number(limit)));
  if (Object.hasOwn(FAMILIES, name)) return numbered(name, distinctCalls(name, Number(limit)));
  const make = areas[name];
  if (make === undefined) {
    const known = ['random', 'versions', 'syntax', ...Object.keys(FAMILIES), ...Object.keys(areas)];
    throw new Error(`no area \`${name}\`; there are ${known.join(', ')}`);
  }
  return [...new Set(make())].map((expression, index) => {
    const variables = variablesOf(expression);
    return {
      id: `${name}-${index}`,
      expression,
      ...(variables === undefined ? {} : { variables }),
    };
  });
}

/** So many calls of a library, no two of them the same. */
function distinctCalls(name: string, count: number): readonly Omit<AreaCase, 'id'>[] {
  const next = makerOf(name, 7);
  const cases = new Map<string, Omit<AreaCase, 'id'>>();
  while (cases.size < count) {
    const { expression, variables } = next('');
    const isBare = Object.keys(variables).length === 0;
    cases.set(JSON.stringify([expression, variables]), {
      expression,
      ...(isBare ? {} : { variables }),
    });
  }
  return [...cases.values()];
}

function numbered(name: string, cases: readonly Omit<AreaCase, 'id'>[]): readonly AreaCase[] {
  return cases.map((one, index) => ({
    id: `${name}-${String(index + 1).padStart(4, '0')}`,
    ...one,
  }));
}
