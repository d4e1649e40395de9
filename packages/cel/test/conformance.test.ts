import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { describe, expect, test } from 'vitest';
import { CelError, formatLiteral, type Value } from '../src/index.ts';
import type { CheckedExpression } from '../src/internal.ts';
import { standardMacros } from '../src/syntax/standard-macros.ts';
import { parseExpression } from '../src/syntax.ts';
import { formatCelType } from '../src/types.ts';
import { errorType } from '../src/values/types.ts';
import gaps from './cases/conformance-gaps.json' with { type: 'json' };
import { typeFromJson, valueFrom } from './conformance/convert.ts';
import { debugText, kinds, semantics } from './conformance/debug-text.ts';
import { checkEnvironment, evaluationEnvironment } from './conformance/environment.ts';
import {
  type ConformanceTest,
  flatten,
  needsMessages,
  type SimpleTest,
} from './conformance/suite.ts';

const cases = [...flatten({ ...tests, name: '' })].filter(([, one]) => !needsMessages(one));
const knownGaps = new Map(Object.entries(gaps));

/** Returns the problem with our answer to a test, or `undefined` if it is right. */
function mistake(one: ConformanceTest): string | undefined {
  const { original } = one;
  const environment = evaluationEnvironment(original);
  const { source, expression, issues } = environment.parse(original.expr);
  if (expression === undefined) {
    return original.evalError === undefined ? `issue: ${issues[0]?.message}` : undefined;
  }
  const found = treeMistake(one) ?? typeMistake(one);
  if (found !== undefined || original.checkOnly === true) return found;
  if (original.disableCheck === true) {
    return resultMistake(original, environment.resolve(source, expression));
  }
  const checked = environment.check(source, expression);
  if (checked.issues.length > 0) {
    return original.evalError === undefined ? `issue: ${checked.issues[0]?.message}` : undefined;
  }
  return resultMistake(original, checked);
}

function treeMistake({ original, ast }: ConformanceTest): string | undefined {
  // The recorded trees have no macros but the standard ones.
  const plain = parseExpression(original.expr, { macros: standardMacros }).expression;
  const text = plain && debugText(plain, kinds);
  return ast === undefined || text === ast ? undefined : `tree: ${text}\nwanted: ${ast}`;
}

function typeMistake({ original, checkedAst, type }: ConformanceTest): string | undefined {
  const deduced = original.typedResult?.deducedType;
  const wanted = deduced === undefined ? type : formatCelType(typeFromJson(deduced));
  if (wanted === undefined) return undefined;
  const environment = checkEnvironment(original);
  const { source, expression } = environment.parse(original.expr);
  const checked = expression && environment.check(source, expression);
  if (checked === undefined || checked.issues.length > 0) {
    return `issue: ${checked?.issues[0]?.message}, wanted type: ${wanted}`;
  }
  const found = formatCelType(checked.types[checked.expression.id] ?? errorType);
  if (found !== wanted) return `type: ${found}, wanted: ${wanted}`;
  const text = debugText(checked.expression, semantics(checked), checked);
  return checkedAst === undefined || text === checkedAst
    ? undefined
    : `checked tree: ${text}\nwanted: ${checkedAst}`;
}

function resultMistake(original: SimpleTest, checked: CheckedExpression): string | undefined {
  const program = evaluationEnvironment(original).plan(checked);
  const bindings = Object.entries(original.bindings ?? {}).map(
    ([name, { value }]) => [name, valueFrom(value)] as const,
  );
  const value =
    program instanceof CelError ? program : program.evaluate(Object.fromEntries(bindings)).value;
  const failed = value instanceof CelError;
  if (original.evalError !== undefined) {
    return failed ? undefined : `value: ${formatLiteral(value)}, wanted an error`;
  }
  const wanted = valueFrom(original.value ?? original.typedResult?.result ?? { boolValue: true });
  if (failed) return `error: ${value.message}, wanted: ${formatLiteral(wanted)}`;
  return isSame(value, wanted)
    ? undefined
    : `value: ${formatLiteral(value)}, wanted: ${formatLiteral(wanted)}`;
}

/** Equality that distinguishes number types, with NaN equal to itself. */
function isSame(left: Value, right: Value): boolean {
  return (
    formatLiteral(left) === formatLiteral(right) || (Number.isNaN(left) && Number.isNaN(right))
  );
}

describe('cel-spec', () => {
  test('has the tests that need no messages', () => {
    expect(cases.length).toBeGreaterThanOrEqual(1638);
  });

  test.each(cases)('%s', (name, one) => {
    const found = mistake(one);
    if (knownGaps.has(name)) {
      expect(found, 'a listed gap passes: take it off the list').toBeDefined();
    } else {
      expect(found).toBeUndefined();
    }
  });

  test('lists no gap that does not exist', () => {
    const names = new Set(cases.map(([name]) => name));
    expect([...knownGaps.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
