import { expect, test } from 'vitest';
import { type DeclaredSize, estimateCost, greatest } from '../src/estimate/index.ts';
import { Environment, Program } from '../src/index.ts';
import cases from './cases/estimates.json' with { type: 'json' };

const environment = new Environment({
  variables: {
    count: 'int',
    text: 'string',
    names: 'list<string>',
    user: 'map<string, string>',
    unknown: 'list<bool>',
  },
});

const sizes: Readonly<Record<string, DeclaredSize>> = {
  text: { maxElements: 100 },
  names: { maxElements: 10, element: { maxElements: 20 } },
};

test.each(cases)('$expression costs from $min to $max', ({ expression, min, max }) => {
  const { checked } = environment.compile(expression);
  if (checked === undefined) throw new Error('not checked');
  const estimate = estimateCost(checked, { sizeOf: (variable) => sizes[variable] });
  expect([estimate.min, estimate.max]).toEqual([
    BigInt(min),
    typeof max === 'number' ? BigInt(max) : greatest,
  ]);
});

test('no evaluation costs more than its estimate', () => {
  const bindings = {
    count: 3,
    text: 'a'.repeat(100),
    names: Array.from({ length: 10 }, () => 'ab'),
    user: { name: 'ada' },
    unknown: [true, false],
  };
  for (const { expression } of cases) {
    const { checked } = environment.compile(expression);
    const program = checked && environment.plan(checked);
    if (!(program instanceof Program)) throw new Error(expression);
    const { max } = estimateCost(checked as NonNullable<typeof checked>, {
      sizeOf: (variable) => sizes[variable],
    });
    const cost = BigInt(program.evaluate(bindings).cost);
    expect([expression, cost <= max]).toEqual([expression, true]);
  }
});

test('a host estimates its own calls', () => {
  const { checked } = environment.compile('size(text) > 1');
  if (checked === undefined) throw new Error('not checked');
  const estimateCall = (name: string): { cost: { min: bigint; max: bigint } } | undefined =>
    name === 'size' ? { cost: { min: 5n, max: 7n } } : undefined;
  expect(estimateCost(checked, { estimateCall })).toEqual({ min: 7n, max: 9n });
});
