import type { FunctionImplementation } from '@kubeadmit/cel';
import {
  CelError,
  type FunctionDeclaration,
  type Library,
  Optional,
  type Value,
} from '@kubeadmit/cel';
import {
  type Int,
  intType,
  isInt,
  listOf,
  nativeStringOf,
  stringType,
} from '@kubeadmit/cel/internal';
import { compileFinder, type RegexFinder, recentFinder } from '@kubeadmit/go/internal';
import { member, noSuchOverload } from './declare.ts';

/** Calls `use` with the compiled pattern; a pattern that is none is the error. */
function withRegex(pattern: string, use: (regex: RegexFinder) => Value): Value {
  const regex = recentFinder(pattern);
  return 'error' in regex ? new CelError(`Illegal regex: ${regex.error}`) : use(regex);
}

function specialize(
  pattern: Value | undefined,
  implement: (regex: RegexFinder) => FunctionImplementation,
): FunctionImplementation | CelError | undefined {
  if (typeof pattern !== 'string') return undefined;
  const regex = compileFinder(pattern);
  return 'error' in regex ? new CelError(regex.error) : implement(regex);
}

// Go's form of a value, which these implementations ask for, is that of the value within an optional.
function present(value: Value): Value {
  return value instanceof Optional && value.value !== undefined ? present(value.value) : value;
}

const find: FunctionDeclaration = {
  name: 'find',
  overloads: [
    member(
      'string_find_string',
      [stringType, stringType],
      stringType,
      (text: string, pattern: string) => withRegex(pattern, (regex) => regex.find(text)),
    ),
  ],
  specialize: ([, pattern]) =>
    specialize(pattern, (regex) => (given: Value) => {
      const text = nativeStringOf(given);
      return text === undefined ? noSuchOverload() : regex.find(text);
    }),
};

const findAll: FunctionDeclaration = {
  name: 'findAll',
  overloads: [
    member(
      'string_find_all_string',
      [stringType, stringType],
      listOf(stringType),
      (text: string, pattern: string) => withRegex(pattern, (regex) => regex.findAll(text, -1)),
    ),
    member(
      'string_find_all_string_int',
      [stringType, stringType, intType],
      listOf(stringType),
      (text: string, pattern: string, limit: Int) =>
        withRegex(pattern, (regex) => regex.findAll(text, Number(limit))),
    ),
  ],
  specialize: ([, pattern]) =>
    specialize(pattern, (regex) => (given: Value, _: Value, most: Value = -1) => {
      const [text, limit] = [nativeStringOf(given), present(most)];
      return text !== undefined && isInt(limit)
        ? regex.findAll(text, Number(limit))
        : noSuchOverload();
    }),
};

/**
 * Regular expressions in Go's syntax (apiserver pkg/cel/library/regex.go).
 *
 * - `"abc 123".find("[0-9]+")` is `"123"`; without a match it is `""`.
 * - `"1 22".findAll("[0-9]+")` is `["1", "22"]`, and `["1"]` with 1 as the limit.
 */
export const regexLibrary: Library = { name: 'kubernetes.regex', functions: [find, findAll] };
