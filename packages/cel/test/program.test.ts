import { describe, expect, test } from 'vitest';
import { CelError, Environment, Program, type Value } from '../src/index.ts';
import { optionalLibrary } from '../src/standard/optionals.ts';

const environment = new Environment({
  variables: { x: 'dyn', y: 'dyn' },
  libraries: [optionalLibrary],
});

function plan(expression: string): Program {
  const { checked, issues } = environment.compile(expression);
  const program = checked && environment.plan(checked);
  if (!(program instanceof Program)) {
    throw new Error(issues[0]?.message ?? (program as CelError | undefined)?.message);
  }
  return program;
}

describe('variables', () => {
  test.each([
    ['x.a == 1 && y.b == 2', ['x', 'y']],
    ['x.all(e, e.f.exists(g, g == y))', ['x', 'y']],
    ['x.map(y, y + 1)', ['x']],
    ['[1].map(z, z)', []],
  ])('%s reads %j and no variables of loops', (expression, names) => {
    const program = plan(expression);
    const asked: string[] = [];
    program.evaluate((name) => {
      asked.push(name);
      return [];
    });
    expect([program.variables, asked]).toEqual([names, names]);
  });

  test('are looked up by name in objects with any prototype', () => {
    const own = Object.assign(Object.create({ x: 2 }), { y: 1 }) as Record<string, Value>;
    expect(plan('x + y').evaluate(own).value).toBe(3);
  });
});

test('data may change between evaluations', () => {
  const entries = Array.from({ length: 500 }, (_, index) => [`key-${index}`, index]);
  const x: Record<string, Value> = Object.fromEntries(entries);
  const program = plan('[x.size(), x.size()]');
  expect(program.evaluate({ x }).value).toEqual([500, 500]);
  x['more'] = 1;
  expect(program.evaluate({ x }).value).toEqual([501, 501]);
});

test('an evaluation may be part of another one of the same program', () => {
  const program = plan('x == 0 ? 0 : x + y');
  const sumTo = (x: number): Value =>
    program.evaluate((name) => (name === 'x' ? x : x === 0 ? 0 : sumTo(x - 1))).value;
  expect(sumTo(10)).toBe(55);
});

test('a list that a variable began with as an empty one grows, and no more once it is a result', () => {
  const program = plan('optional.of(x).optMap(v, [v + [1], v, v + [2]]).value()');
  const x: Value[] = [];
  expect(program.evaluate({ x }).value).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  expect(x).toEqual([]);
  const result = plan('optional.of(x).optMap(v, v + [1]).value()').evaluate({ x }).value;
  expect(Object.getPrototypeOf(result)).toBe(Array.prototype);
});

test('a list that doubles in each round of a loop ends with an error', () => {
  const rounds = JSON.stringify(Array.from({ length: 100 }, (_, index) => index));
  const program = plan(
    `optional.of([]).optMap(v, (v + [1]).size() + ${rounds}.map(i, (v + v).size())[0])`,
  );
  expect(program.evaluate({}).value).toEqual(new CelError('internal error: a value is too large'));
});
