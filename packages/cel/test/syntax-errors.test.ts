import { readFileSync } from 'node:fs';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, it } from 'vitest';
import {
  describeSyntaxErrors,
  type SyntaxErrorOptions,
  type SyntaxIssue,
} from '../src/syntax-errors/describe-syntax-errors.ts';

interface RecordedCase {
  readonly id: string;
  readonly expression: string;
  readonly issues: readonly SyntaxIssue[];
}

interface OptionsCase extends Omit<RecordedCase, 'id'> {
  readonly options: SyntaxErrorOptions;
}

const recorded = readLines<RecordedCase>(
  new URL('../../../conformance/cel/syntax.ndjson', import.meta.url),
);
const withOptions: readonly OptionsCase[] = JSON.parse(
  readFileSync(new URL('syntax-errors-options.json', import.meta.url), 'utf8'),
);

describe('recorded cases', () => {
  it.each(recorded)('$id', ({ expression, issues }) => {
    expect(describeSyntaxErrors(expression)).toEqual(issues);
  });
});

describe('options', () => {
  it.each(withOptions)('$expression', ({ expression, options, issues }) => {
    expect(describeSyntaxErrors(expression, options)).toEqual(issues);
  });
});

describe('expressions without errors', () => {
  it.each([
    ['249 parentheses', `${'('.repeat(249)}1${')'.repeat(249)}`],
    ['249 lists', `${'['.repeat(249)}1${']'.repeat(249)}`],
    ['250 additions', `1${'+1'.repeat(250)}`],
    ['250 selections', `a${'.b'.repeat(250)}`],
    ['5000 alternatives', `a${'||a'.repeat(5000)}`],
    ['a leading dot before a macro', '.has(1)'],
    ['names that belong to every object', 'constructor(1).toString(2).__proto__'],
    ['commas at the end', '[[,], {,}, [1,], {1: 2,}, T{a: 1,}, T{,}]'],
  ])('%s', (_, expression) => {
    expect(describeSyntaxErrors(expression)).toEqual([]);
  });
});

describe('hostile expressions', () => {
  const nesting = 'expression recursion limit exceeded: 250';
  const size = 'expression code point size exceeds limit: size: 1000000, limit 100000';
  const skipped = 'error recovery token lookahead limit exceeded: 256';

  it.each([
    ['a million characters', 'a'.repeat(1_000_000), size],
    ['brackets', '['.repeat(100_000), nesting],
    ['parentheses', '('.repeat(100_000), nesting],
    ['calls', 'f('.repeat(50_000), nesting],
    ['conditions', 'a?b:'.repeat(25_000), nesting],
    ['commas', ','.repeat(100_000), skipped],
    ['names', 'a '.repeat(50_000), skipped],
    ['quotes', '"'.repeat(99_999), skipped],
    ['selections', `a${'.b'.repeat(49_999)}`, 'max recursion depth exceeded'],
  ])('%s end with the limit', (_, expression, message) => {
    const [first] = describeSyntaxErrors(expression);
    expect(first).toEqual({ line: -1, column: -1, message });
  });

  it('are described with no more than 100 messages', () => {
    expect(describeSyntaxErrors('@'.repeat(100_000))).toHaveLength(100);
  });
});

describe('text that is not well-formed', () => {
  it('is read as Go reads it: a lone surrogate is the replacement character', () => {
    const [issue] = describeSyntaxErrors('"\ud800" \udc00');
    expect(issue).toEqual({
      line: 1,
      column: 4,
      message: "Syntax error: token recognition error at: '\ufffd'",
    });
  });
});
