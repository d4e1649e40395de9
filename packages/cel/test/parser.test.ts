import { describe, expect, test } from 'vitest';
import { standardMacros } from '../src/syntax/standard-macros.ts';
import { childrenOf, type Expression, parseExpression, type Source } from '../src/syntax.ts';
import cases from './cases/positions.json' with { type: 'json' };

function nodesOf(source: Source, expression: Expression): readonly string[] {
  const { line, column } = source.locate(expression.position);
  return [
    `${expression.kind} ${line}:${column}`,
    ...childrenOf(expression).flatMap((child) => nodesOf(source, child)),
  ];
}

function idsOf(expression: Expression): readonly number[] {
  return [expression.id, ...childrenOf(expression).flatMap(idsOf)];
}

describe('parse', () => {
  test.each(cases)('places of $text', ({ text, nodes }) => {
    const { source, expression } = parseExpression(text, { macros: standardMacros });
    expect(expression && nodesOf(source, expression)).toEqual(nodes);
  });

  test.each(cases)('ids of $text are unique', ({ text }) => {
    const { expression } = parseExpression(text, { macros: standardMacros });
    const ids = expression === undefined ? [] : idsOf(expression);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.min(...ids)).toBeGreaterThan(0);
  });

  test('keeps the macro as it was called', () => {
    const { expression } = parseExpression('a.exists(x, x > 1)', { macros: standardMacros });
    expect(expression?.macro).toMatchObject({
      name: 'exists',
      target: { kind: 'identifier', name: 'a' },
      arguments: [{ kind: 'identifier', name: 'x' }, { function: '_>_' }],
    });
  });

  test.each(['a.?b', 'a[?b]', '[?a]', '{?a: b}', 'A{?b: c}'])(
    'refuses %s without optional syntax',
    (text) => {
      const { issues } = parseExpression(text, { optionalSyntax: false });
      expect(issues.map(({ message }) => message)).toEqual(["unsupported syntax '?'"]);
    },
  );

  test('refuses names in backticks where they are not enabled', () => {
    const { issues } = parseExpression('a.`b-c`', { escapedIdentifiers: false });
    expect(issues.map(({ message, column }) => [message, column])).toEqual([
      ["unsupported syntax: '`'", 2],
    ]);
  });

  test.each([
    ['9223372036854775808', 'invalid int literal'],
    ['-9223372036854775809', 'invalid int literal'],
    ['18446744073709551616u', 'invalid uint literal'],
    ['1e400', 'invalid double literal'],
    ["'\\ud800'", 'invalid unicode code point'],
    ["b'\\u0041'", 'unable to unescape string'],
    ['while', 'reserved identifier: while'],
    ['a.all(b.c, true)', 'argument must be a simple name'],
    ['has(a)', 'invalid argument to has() macro'],
    ['a.map(__result__, 1)', 'iteration variable overwrites accumulator variable'],
  ])('says of %s: %s', (text, message) => {
    const { issues } = parseExpression(text, { macros: standardMacros });
    expect(issues.map((issue) => issue.message)).toEqual([message]);
  });
});
