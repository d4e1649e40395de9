import { describe, expect, test } from 'vitest';
import { CelError, Environment, formatLiteral } from '../src/index.ts';
import { bindingsLibrary } from '../src/libraries/bindings.ts';
import { encodersLibrary } from '../src/libraries/encoders.ts';
import { mathLibrary } from '../src/libraries/math.ts';
import { newestStringsLibrary } from '../src/libraries/newest-strings.ts';
import { optionalLibrary } from '../src/standard/optionals.ts';
import stringCases from './cases/newest-strings.json' with { type: 'json' };
import cases from './cases/numbers-and-encodings.json' with { type: 'json' };

// Answers of cel-go 0.29 with its extensions in their newest versions.

interface Case {
  readonly expression: string;
  /** The value as a CEL literal. */
  readonly value?: string;
  readonly error?: string;
  /** The message of the parser or checker, and its position. */
  readonly issue?: string;
  readonly column?: number;
}

const environment = new Environment({
  libraries: [optionalLibrary, bindingsLibrary, encodersLibrary, mathLibrary, newestStringsLibrary],
});

function answer(expression: string): Omit<Case, 'expression'> {
  const { checked, issues } = environment.compile(expression);
  if (checked === undefined) {
    const [first] = issues;
    return first === undefined ? {} : { issue: first.message, column: first.column };
  }
  const program = environment.plan(checked);
  const value = program instanceof CelError ? program : program.evaluate().value;
  return value instanceof CelError ? { error: value.message } : { value: formatLiteral(value) };
}

describe('math, encoders and bindings', () => {
  test.each(cases as readonly Case[])('$expression', ({ expression, ...wanted }) => {
    expect(answer(expression)).toEqual(wanted);
  });
});

describe('the newest strings', () => {
  test.each(stringCases as readonly Case[])('$expression', ({ expression, ...wanted }) => {
    expect(answer(expression)).toEqual(wanted);
  });
});
