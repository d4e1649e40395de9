import { describe, expect, test } from 'vitest';
import { overload } from '../src/declarations/signature.ts';
import {
  type Bindings,
  CelError,
  Environment,
  type EnvironmentOptions,
  type EvaluateOptions,
  formatIssues,
  formatLiteral,
  type Library,
  Program,
  parse,
  type StructProvider,
  type Type,
  typeFrom,
  type Value,
} from '../src/index.ts';
import { optionalLibrary } from '../src/standard/optionals.ts';
import { MacroError } from '../src/syntax/macro.ts';
import { printExpression } from '../src/syntax.ts';
import { isDynamic, opaqueType, stringType, structType } from '../src/types.ts';
import { OpaqueValue, StructValue } from '../src/values.ts';

function evaluate(
  text: string,
  options: EnvironmentOptions = {},
  bindings: Bindings = {},
  limits: EvaluateOptions = {},
): string {
  const environment = new Environment(options);
  const { source, checked, issues } = environment.compile(text);
  if (checked === undefined) return formatIssues(source, issues);
  const program = environment.plan(checked);
  const value = program instanceof CelError ? program : program.evaluate(bindings, limits).value;
  return textOf(value);
}

function textOf(value: Value): string {
  return value instanceof CelError ? `error: ${value.message}` : formatLiteral(value);
}

describe('functions', () => {
  const greetings: Library = {
    name: 'greetings',
    functions: [
      {
        name: 'greet',
        overloads: [
          overload('greet_string', '(string) -> string', {
            evaluate: (name: string) => `Hello, ${name}!`,
          }),
          overload('string_greet_int', 'string.(int) -> list<string>', {
            evaluate: (name: string, times: number) => Array<string>(times).fill(name),
          }),
        ],
      },
      {
        name: 'text.fail',
        overloads: [
          overload('text_fail', '() -> bool', { evaluate: () => new CelError('as it should') }),
        ],
      },
      {
        name: 'isWrong',
        overloads: [
          overload('is_wrong', '(A) -> bool', {
            nonStrict: true,
            evaluate: (value: Value) => value instanceof CelError,
          }),
        ],
      },
      {
        name: 'twice',
        overloads: [
          overload('twice_list', '(list<A>) -> list<A>', {
            evaluate: (list: readonly Value[]) => [...list, ...list],
          }),
        ],
      },
    ],
  };
  const libraries = [greetings];

  test.each([
    ["greet('Ada')", '"Hello, Ada!"'],
    ["'Ada'.greet(2)", '["Ada", "Ada"]'],
    ['greet(dyn(1))', 'error: no such overload: greet(int)'],
    ['text.fail() || true', 'true'],
    ['text.fail()', 'error: as it should'],
    ['isWrong(1 / 0)', 'true'],
    ['twice([1])[1] + 1', '2'],
    [
      'greet(1)',
      "ERROR: <input>:1:6: found no matching overload for 'greet' applied to '(int)'\n | greet(1)\n | .....^",
    ],
    [
      "twice(['a'])[0] + 1",
      "ERROR: <input>:1:17: found no matching overload for '_+_' applied to '(string, int)'\n | twice(['a'])[0] + 1\n | ................^",
    ],
  ])('%s', (text, wanted) => {
    expect(evaluate(text, { libraries })).toBe(wanted);
  });

  test('get more overloads from another library', () => {
    const more: Library = {
      name: 'more',
      functions: [
        {
          name: 'greet',
          overloads: [
            overload('greet_int', '(int) -> string', { evaluate: (count: number) => `${count}!` }),
          ],
        },
      ],
    };
    const both = { libraries: [greetings, more] };
    expect(evaluate("greet(2) + greet('you')", both)).toBe('"2!Hello, you!"');
  });

  test('have the cost that a library declares', () => {
    const priced: Library = {
      ...greetings,
      overloadCosts: { greet_string: (_, name) => String(name).length },
    };
    const environment = new Environment({ libraries: [priced] });
    const { checked } = environment.compile("greet('abcdefg')");
    const program = checked && environment.plan(checked);
    expect(program).not.toBeInstanceOf(CelError);
    expect(program && 'evaluate' in program && program.evaluate().cost).toBe(7);
  });
});

describe('macros', () => {
  const macros: Library = {
    name: 'between',
    macros: [
      {
        name: 'between',
        arity: 2,
        member: true,
        expand(build, target, [low, high]) {
          if (target === undefined || low === undefined || high === undefined) return undefined;
          if (target.kind === 'literal') return new MacroError('between() of a literal', target);
          return build.call(
            '_&&_',
            build.call('_<=_', low, target),
            build.call('_<=_', build.copy(target), high),
          );
        },
      },
      {
        name: 'all',
        arity: 'any',
        member: false,
        expand: (build, _, values) =>
          values.reduce((left, right) => build.call('_&&_', left, right), build.literal(true)),
      },
    ],
  };
  const options: EnvironmentOptions = { libraries: [macros], variables: { x: 'int' } };

  test.each([
    ['x.between(1, 3)', 'true'],
    ['x.between(3, 4)', 'false'],
    ['all()', 'true'],
    ['all(x == 2, x < 3, x > 1)', 'true'],
    ['[1, 2].all(y, y < 3)', 'true'],
    ['1.between(0, 2)', 'ERROR: <input>:1:1: between() of a literal\n | 1.between(0, 2)\n | ^'],
  ])('%s', (text, wanted) => {
    expect(evaluate(text, options, { x: 2 })).toBe(wanted);
  });

  test('are printed as they were called', () => {
    const { expression } = new Environment(options).parse('all( x.between(1,3),true )');
    expect(expression && printExpression(expression)).toBe('all(x.between(1, 3), true)');
  });
});

describe('types', () => {
  const colorType = opaqueType('example.Color');

  class Color extends OpaqueValue {
    readonly goType = 'example.Color';
    readonly name: string;

    constructor(name: string) {
      super();
      this.name = name;
    }

    get type(): Type {
      return colorType;
    }

    equals(other: Value): boolean {
      return other instanceof Color && other.name === this.name;
    }

    override text(): string {
      return this.name;
    }
  }

  const colors: Library = {
    name: 'colors',
    types: [colorType],
    functions: [
      {
        name: 'color',
        overloads: [
          {
            id: 'color_string',
            parameters: [stringType],
            result: colorType,
            evaluate: (name: string) => new Color(name),
          },
        ],
      },
    ],
  };

  test.each([
    ["color('red') == color('red')", 'true'],
    ["color('red') in [color('blue')]", 'false'],
    ["type(color('red')) == example.Color", 'true'],
    ["color('red')", 'example.Color("red")'],
  ])('%s', (text, wanted) => {
    expect(evaluate(text, { libraries: [colors] })).toBe(wanted);
  });

  test('of objects come from a provider', () => {
    const fields: Readonly<Record<string, Type>> = {
      name: stringType,
      tags: typeFrom('list<string>'),
    };

    class Person extends StructValue {
      readonly #values: ReadonlyMap<string, Value>;

      constructor(values: ReadonlyMap<string, Value>) {
        super();
        this.#values = values;
      }

      get type(): Type {
        return structType('example.Person');
      }

      get(field: string): Value | undefined {
        return this.#values.get(field);
      }

      has(field: string): boolean {
        return this.#values.has(field);
      }

      equals(other: Value): boolean {
        return other === this;
      }
    }

    const structs: StructProvider = {
      has: (name) => name === 'example.Person',
      fieldType: (_, field) => fields[field],
      create: (_, values) => new Person(values),
    };
    const options: EnvironmentOptions = { structs, container: 'example' };
    expect(evaluate("Person{name: 'Ada', tags: ['a']}.tags[0] + 'b'", options)).toBe('"ab"');
    expect(evaluate("has(Person{name: 'Ada'}.tags)", options)).toBe('false');
    expect(evaluate('Person{name: 1}', options)).toContain(
      "expected type of field 'name' is 'string' but provided type is 'int'",
    );
    expect(evaluate('Person{age: 1}', options)).toContain("undefined field 'age'");
  });

  test('are written as texts', () => {
    const texts = ['int', 'list<map<string, dyn>>', 'optional<timestamp>', 'type<A>', 'map<A, B>'];
    expect(texts.map((text) => String(typeFrom(text)))).toEqual([
      'int',
      'list(map(string, dyn))',
      'optional_type(google.protobuf.Timestamp)',
      'type(<A>)',
      'map(<A>, <B>)',
    ]);
    expect(isDynamic(typeFrom('dyn'))).toBe(true);
    expect(() => typeFrom('number')).toThrow('invalid type `number`');
    expect(() => typeFrom('set<int>')).toThrow('invalid type `set<int>`');
  });
});

describe('environments', () => {
  test('find names in their container first', () => {
    const options: EnvironmentOptions = {
      container: 'a.b',
      variables: { 'a.b.x': 'string', 'a.x': 'string', x: 'string', 'a.y': 'string' },
    };
    const bindings = { 'a.b.x': 'inner', 'a.x': 'middle', x: 'outer', 'a.y': 'y' };
    expect(evaluate('[x, .x, a.x, y]', options, bindings)).toBe(
      '["inner", "outer", "middle", "y"]',
    );
    expect(evaluate('z', options)).toContain("undeclared reference to 'z' (in container 'a.b')");
  });

  test('are extended without being changed', () => {
    const base = new Environment({ variables: { x: 'int' } });
    const more = base.extend({ variables: { y: 'int' }, constants: { ten: 10 } });
    expect(more.compile('x + y + ten').issues).toEqual([]);
    expect(base.compile('y').issues).toHaveLength(1);
  });

  test('evaluate unchecked expressions', () => {
    const environment = new Environment({ libraries: [optionalLibrary], variables: { x: 'int' } });
    const value = (text: string, bindings: Bindings): string => {
      const { source, expression } = environment.parse(text);
      const program = expression && environment.plan(environment.resolve(source, expression));
      return program === undefined || program instanceof CelError
        ? String(program?.message)
        : textOf(program.evaluate(bindings).value);
    };
    expect(value("true ? 'a' : 1", {})).toBe('"a"');
    expect(value('unknown(1) || x == 1', { x: 1 })).toBe('true');
    expect(value('y + 1', { y: 1 })).toBe('2');
    expect(value('y.?a.orValue(x)', { y: {}, x: 3 })).toBe('3');
    expect(value("[1, 'a'].map(y, y + y)", {})).toBe('[2, "aa"]');
    expect(value('[1, ?2]', {})).toBe(
      'error: cannot initialize optional list element from non-optional value 2',
    );
    expect(value('{?1: 2}', {})).toBe(
      "error: cannot initialize optional entry '1' from non-optional value 2",
    );
    expect(value('y', {})).toBe('error: no such attribute(s): y');
    expect(value('Foo{}', {})).toBe('unknown type: Foo');
  });
});

describe('evaluation', () => {
  const list = Array.from({ length: 1000 }, (_, index) => index);

  test('ends at its budget', () => {
    expect(
      evaluate(
        'x.all(y, y >= 0)',
        { variables: { x: 'list<int>' } },
        { x: list },
        { costLimit: 100 },
      ),
    ).toBe('error: operation cancelled: actual cost limit exceeded');
  });

  test('takes a budget only where costs are counted', () => {
    const environment = new Environment({ variables: { x: 'int' } });
    const { checked } = environment.compile('x == 1');
    const program = checked && environment.plan(checked, { countsCosts: false });
    if (!(program instanceof Program)) throw new Error('not planned');
    expect(program.evaluate({ x: 1 }).value).toBe(true);
    expect(() => program.evaluate({ x: 1 }, { costLimit: 1 })).toThrow(
      new TypeError('`costLimit` needs counted costs'),
    );
  });

  test('indexes a list once for lookups', () => {
    // Were each of them looked for twice, it would take 2^60 evaluations.
    const text = `${'('.repeat(60)}a${' in l)'.repeat(60)} in l`;
    expect(parse(text)({ a: 'x', l: ['x', true, false] })).toBe(true);
    expect(parse(text)({ a: 'x', l: ['y'] })).toBe(false);
    expect(parse('a in l')({ a: 1, l: ['y'] })).toBe(false);
    expect(() => parse('(1 / a) in l')({ a: 0, l: [1] })).toThrow('division by zero');
    expect(() => parse('string(a) in l')({ a: 0, l: 1 })).toThrow('no such overload');
  });

  test('has no name that objects inherit', () => {
    const environment = new Environment();
    const { checked } = environment.compile('1');
    const program: unknown = checked && environment.plan(checked);
    // JavaScript asks for `valueOf`.
    expect(Number(program)).toBeNaN();
  });

  test('ends when it is cancelled', () => {
    let asked = 0;
    const isCancelled = (): boolean => ++asked === 3;
    expect(
      evaluate('x.all(y, y >= 0)', { variables: { x: 'list<int>' } }, { x: list }, { isCancelled }),
    ).toBe('error: operation interrupted: context canceled');
  });

  test('asks a function for the variables that it reads', () => {
    const asked: string[] = [];
    const bindings = (name: string): Value => {
      asked.push(name);
      return name;
    };
    const variables = { a: 'string', b: 'string', c: 'string' } as const;
    expect(evaluate('a + b', { variables }, bindings)).toBe('"ab"');
    expect(asked).toEqual(['a', 'b']);
  });

  test('returns the data itself if it contains no computed values', () => {
    const data = { a: [{ b: 1 }] };
    const environment = new Environment({ variables: { x: 'dyn' } });
    const { checked } = environment.compile('x.a[0]');
    const program = checked && environment.plan(checked);
    expect(program).not.toBeInstanceOf(CelError);
    expect(program && 'evaluate' in program && program.evaluate({ x: data }).value).toBe(data.a[0]);
  });

  test('never throws, whatever a function of the host throws', () => {
    const environment = new Environment().registerFunction('f() -> int', () => {
      throw Object.create(null);
    });
    expect(() => environment.evaluate('f()')).toThrow('function `f` failed: object');
  });

  test('can be observed', () => {
    const environment = new Environment({ variables: { x: 'int' } });
    const { checked } = environment.compile('x > 1 && [x].exists(y, y == 2)');
    const program = checked && environment.plan(checked, { observe: true });
    expect(program).not.toBeInstanceOf(CelError);
    const seen = new Map<string, string>();
    if (program !== undefined && 'evaluate' in program) {
      program.evaluate(
        { x: 2 },
        { observe: (node, value) => seen.set(printExpression(node), formatLiteral(value)) },
      );
    }
    expect(Object.fromEntries(seen)).toMatchObject({
      x: '2',
      '1': '1',
      'x > 1': 'true',
      '[x]': '[2]',
      'y == 2': 'true',
      '[x].exists(y, y == 2)': 'true',
      'x > 1 && [x].exists(y, y == 2)': 'true',
    });
  });
});
