import {
  CelError,
  type FunctionImplementation,
  type Library,
  Optional,
  type Value,
} from '@kubeadmit/cel';
import { functionsOf } from '@kubeadmit/cel/declarations';
import { nativeStringOf } from '@kubeadmit/cel/unstable-internal';
import { isInt, noOverload } from '@kubeadmit/cel/values';
import { compileFinder, type RegexFinder, recentFinder } from '@kubeadmit/go/unstable-internal';

/** Calls `use` with the compiled pattern, or returns the error of an invalid pattern. */
function withRegex(pattern: string, use: (regex: RegexFinder) => Value): Value {
  const regex = recentFinder(pattern);
  return 'error' in regex ? new CelError(`Illegal regex: ${regex.error}`) : use(regex);
}

function specialize(
  pattern: Value | undefined,
  implement: ((regex: RegexFinder) => FunctionImplementation) | undefined,
): FunctionImplementation | CelError | undefined {
  if (typeof pattern !== 'string' || implement === undefined) return undefined;
  const regex = compileFinder(pattern);
  return 'error' in regex ? new CelError(regex.error) : implement(regex);
}

// Go's form of a value, which these implementations ask for, is that of the value within an optional.
function present(value: Value): Value {
  return value instanceof Optional && value.value !== undefined ? present(value.value) : value;
}

function find(text: string, pattern: string): Value {
  return withRegex(pattern, (regex) => regex.find(text));
}

function findAll(text: string, pattern: string, limit: Value = -1): Value {
  return withRegex(pattern, (regex) => regex.findAll(text, Number(limit)));
}

const functions = functionsOf([
  ['find', 'string_find_string', 'string.(string) -> string', find],
  ['findAll', 'string_find_all_string', 'string.(string) -> list<string>', findAll],
  ['findAll', 'string_find_all_string_int', 'string.(string, int) -> list<string>', findAll],
]);

const implementations: Readonly<Record<string, (regex: RegexFinder) => FunctionImplementation>> = {
  find: (regex) => (given: Value) => {
    const text = nativeStringOf(given);
    return text === undefined ? noOverload() : regex.find(text);
  },
  findAll:
    (regex) =>
    (given: Value, _: Value, most: Value = -1) => {
      const [text, limit] = [nativeStringOf(given), present(most)];
      return text !== undefined && isInt(limit) ? regex.findAll(text, Number(limit)) : noOverload();
    },
};

/**
 * Regular expressions in Go's syntax (apiserver pkg/cel/library/regex.go).
 *
 * - `"abc 123".find("[0-9]+")` is `"123"`; without a match it is `""`.
 * - `"1 22".findAll("[0-9]+")` is `["1", "22"]`, and `["1"]` with 1 as the limit.
 */
export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  functions: functions.map((declared) => ({
    ...declared,
    specialize: ([, pattern]) => specialize(pattern, implementations[declared.name]),
  })),
};
