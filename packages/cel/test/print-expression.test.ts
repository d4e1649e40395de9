import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehensions } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { describe, expect, test } from 'vitest';
import { mathLibrary } from '../src/libraries/math.ts';
import { bindMacro } from '../src/syntax/bind-macro.ts';
import { sortByMacro } from '../src/syntax/sort-by-macro.ts';
import { optionalMacros, standardMacros } from '../src/syntax/standard-macros.ts';
import { twoVariableMacros } from '../src/syntax/two-variable-macros.ts';
import {
  type Expression,
  type Macro,
  type PrintOptions,
  parseExpression,
  printExpression,
} from '../src/syntax.ts';
import cases from './cases/print-expression.json' with { type: 'json' };
import { flatten } from './conformance/suite.ts';
import { randomExpression, randomNumbers } from './random-expression.ts';

const macros: readonly Macro[] = [
  ...standardMacros,
  ...optionalMacros,
  ...twoVariableMacros,
  ...(mathLibrary.macros ?? []),
  bindMacro,
  sortByMacro,
];

function treeOf(text: string): Expression | undefined {
  return parseExpression(text, { macros }).expression;
}

interface Case {
  readonly name: string;
  readonly expression: string;
  readonly text: string;
  readonly options?: PrintOptions;
}

describe('printExpression', () => {
  test.each(cases as readonly Case[])('$name', ({ expression, text, options }) => {
    const tree = treeOf(expression);
    expect(tree && printExpression(tree, options)).toBe(text);
  });

  test('refuses a comprehension that no macro has made', () => {
    const { macro: _, ...tree } = treeOf('a.all(x, x)') ?? fail();
    expect(() => printExpression(tree)).toThrow(TypeError);
  });

  test('prints a text that parses to the same tree', () => {
    const texts = [checking, comprehensions, conformance, parsing].flatMap((suite) =>
      [...flatten({ ...suite, name: '' }).values()].map(({ original }) => original.expr),
    );
    const different: string[] = [];
    let count = 0;
    for (const text of texts) {
      const tree = treeOf(text);
      if (tree !== undefined) {
        count++;
        for (const bareCalls of [false, true]) {
          const printed = printExpression(tree, { bareCalls });
          if (shape(treeOf(printed)) !== shape(tree)) different.push(`${text} became ${printed}`);
        }
      }
    }
    expect(different).toEqual([]);
    expect(count).toBeGreaterThan(2500);
  });

  test('prints a text that parses to the same tree, for random trees', () => {
    const random = randomNumbers(20);
    for (let count = 0; count < 2000; count++) {
      const text = randomExpression(random, 1 + random(4));
      const tree = treeOf(text) ?? fail();
      expect(shape(treeOf(printExpression(tree))), text).toBe(shape(tree));
      expect(shape(treeOf(printExpression(tree, { bareCalls: true }))), text).toBe(shape(tree));
    }
  });
});

/** A tree without ids and places, and with the terms of `&&` and `||` in one row. */
function shape(tree: Expression | undefined): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (key === 'id' || key === 'position') return undefined;
    if (typeof value === 'bigint') return `${value}n`;
    if (isLogic(value)) return { ...value, arguments: terms(value, value.function) };
    return Object.is(value, -0) ? '-0' : value;
  });
}

type Call = Extract<Expression, { kind: 'call' }>;

function isLogic(value: unknown): value is Call {
  const name = (value as Partial<Call> | undefined | null)?.function;
  return name === '_&&_' || name === '_||_';
}

function terms(node: Expression, name: string): readonly Expression[] {
  return node.kind === 'call' && node.function === name
    ? node.arguments.flatMap((value) => terms(value, name))
    : [node];
}

function fail(): never {
  throw new Error('no tree');
}
