import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import { typeOf } from '../values/kind.ts';
import { CelError, type Value } from '../values/value.ts';

/** CEL's operators for words and signs of other languages. */
const equivalents: ReadonlyMap<string, string> = new Map([
  ['=', '`==`, `>=` and `<=`'],
  ['&', '`&&`'],
  ['|', '`||`'],
  ['and', '`&&`'],
  ['or', '`||`'],
]);

/** The functions that an environment has only with a library; after the dot of a namespace such as `math`. */
export const libraryFunctions: ReadonlyMap<string, readonly string[]> = new Map([
  ['bindingsLibrary', ['bind']],
  ['encodersLibrary', ['decode', 'encode']],
  ['listsLibrary', ['distinct', 'flatten', 'range', 'reverse', 'slice', 'sort', 'sortBy']],
  ['mathLibrary', ['abs', 'ceil', 'floor', 'greatest', 'least', 'round', 'sign', 'sqrt', 'trunc']],
  ['setsLibrary', ['equivalent', 'intersects']],
  [
    'stringsLibrary',
    [
      ...['charAt', 'format', 'indexOf', 'join', 'lastIndexOf', 'lowerAscii', 'quote', 'replace'],
      ...['split', 'substring', 'trim', 'upperAscii'],
    ],
  ],
]);

/** Returns advice about an error that is found without evaluation. */
export function hintForIssue({ code, message }: Issue): string | undefined {
  if (code === 'syntax') {
    const equivalent = equivalents.get(/unexpected `([^`]*)`/.exec(message)?.[1] ?? '');
    return equivalent && `CEL has ${equivalent}`;
  }
  const name = /^undeclared reference to '([^']*)'/.exec(message)?.[1] ?? '';
  const library = [...libraryFunctions].find(([, names]) => names.includes(name));
  return library && `\`${name}\` is a function of ${library[0]}; add it to \`libraries\``;
}

/**
 * Returns the types of the values that a call failed for, since the message does not name them.
 *
 * @param valueOf the value of each part of the expression
 */
export function hintForFailure(
  message: string,
  part: Expression,
  valueOf: (part: Expression) => Value | undefined,
): string | undefined {
  if (part.kind !== 'call' || message !== 'no such overload') return undefined;
  const operands = part.target === undefined ? part.arguments : [part.target, ...part.arguments];
  const values = operands.map(valueOf);
  if (values.some((value) => value === undefined || value instanceof CelError)) return undefined;
  const types = values.map((value) => String(typeOf(value as Value)));
  return `${types.length === 1 ? 'the type is' : 'the types are'} ${types.join(' and ')}`;
}
