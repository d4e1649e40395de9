import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehensions } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { describe, expect, test } from 'vitest';
import { overload } from '../src/declarations/signature.ts';
import { Environment, formatIssues } from '../src/index.ts';
import { optionalLibrary } from '../src/standard/optionals.ts';
import { standardMacros } from '../src/syntax/standard-macros.ts';
import { type Expression, type ParseResult, parseExpression } from '../src/syntax.ts';
import { formatCelType } from '../src/types.ts';
import gaps from './cases/recorded-tree-gaps.json' with { type: 'json' };
import { debugText, kinds, semantics } from './conformance/debug-text.ts';
import { declared } from './conformance/environment.ts';
import { type ConformanceTest, flatten, needsMessages } from './conformance/suite.ts';

// cel-go's own tests of its parser and checker, with the trees and texts that cel-go gives.

type Case = [name: string, one: ConformanceTest];

const cases: readonly Case[] = [parsing, checking, comprehensions].flatMap((suite) => [
  ...flatten({ ...suite, name: '' }),
]);

// The parser that recorded the trees knew none of the later syntax.
function parsePlainly(text: string): ParseResult {
  return parseExpression(text, {
    macros: standardMacros,
    optionalSyntax: false,
    escapedIdentifiers: false,
  });
}

function where(choose: (one: ConformanceTest) => boolean): Case[] {
  return cases.filter(([, one]) => choose(one));
}

/** Whether a test needs a macro or a low limit that no environment of cel-go has. */
function isOfParserOnly({ original, error = '' }: ConformanceTest): boolean {
  return /existsOne\([^,]*,[^,]*\)/.test(original.expr) || /recursion|limit/.test(error);
}

describe('trees', () => {
  test.each(where((one) => one.ast !== undefined && !isOfParserOnly(one)))(
    '%s',
    (_, { original, ast }) => {
      const { expression } = parsePlainly(original.expr);
      expect(expression && debugText(expression, kinds)).toBe(ast);
    },
  );
});

describe('texts without a tree', () => {
  test.each(where((one) => one.ast === undefined && !isOfParserOnly(one)))(
    '%s',
    (_, { original }) => {
      expect(parsePlainly(original.expr).issues).not.toEqual([]);
    },
  );
});

// The declarations of all cases of cel-go's checker test.
const base = new Environment({
  libraries: [
    optionalLibrary,
    {
      name: 'declared',
      functions: [
        { name: 'fg_s', overloads: [overload('fg_s_0', '() -> string')] },
        { name: 'fi_s_s', overloads: [overload('fi_s_s_0', 'string.() -> string')] },
      ],
    },
  ],
  variables: {
    is: 'string',
    ii: 'int',
    iu: 'uint',
    iz: 'bool',
    ib: 'bytes',
    id: 'double',
    ix: 'null',
  },
});

describe('checked trees', () => {
  const names = new Set([...flatten({ ...checking, name: '' }).keys()]);
  const checked = cases.filter(
    ([name, one]) => names.has(name) && one.ast !== undefined && !needsMessages(one),
  );

  test.each(checked)('%s', (name, one) => {
    // Some were recorded with comparisons of numbers of different types, some without.
    const found = [true, false].map((mixedComparisons) => answer(one, mixedComparisons));
    const wanted = { text: one.checkedAst ?? one.error, type: one.type };
    if (Object.hasOwn(gaps, name)) {
      expect(found, 'a listed gap passes: take it off the list').not.toContainEqual(wanted);
    } else {
      expect(found).toContainEqual(wanted);
    }
  });

  function answer(
    { original }: ConformanceTest,
    mixedComparisons: boolean,
  ): { readonly text: string | undefined; readonly type: string | undefined } {
    const environment = base.extend({ ...declared(original), mixedComparisons });
    const { source, expression } = environment.parse(original.expr);
    const result = environment.check(source, expression as Expression);
    if (result.issues.length > 0) {
      return { text: formatIssues(source, result.issues), type: undefined };
    }
    const root = result.types[result.expression.id];
    return {
      text: debugText(result.expression, semantics(result), result),
      type: root && formatCelType(root),
    };
  }
});
