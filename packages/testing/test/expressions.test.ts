import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { pointsOf } from '../src/covered/points.ts';
import { expressionMutants } from '../src/mutants/expression-mutants.ts';

/** An expression, the possible findings of its tests, and its mutations. */
interface Row {
  readonly expression: string;
  readonly points?: readonly string[];
  readonly mutants?: readonly string[];
}

const rows = parse(
  readFileSync(new URL('cases/expressions.yaml', import.meta.url), 'utf8'),
) as readonly Row[];

test.each(rows.filter(({ points }) => points !== undefined))(
  'points of $expression',
  ({ expression, points }) => {
    const actual = pointsOf(expression, 'validation').map(
      ({ part, text, wanted }) => `${part} ${wanted}: ${text}`,
    );
    expect(actual).toEqual(points);
  },
);

test.each(rows.filter(({ mutants }) => mutants !== undefined))(
  'changes of $expression',
  ({ expression, mutants }) => {
    expect(expressionMutants(expression).map(({ text }) => text)).toEqual(mutants);
  },
);
