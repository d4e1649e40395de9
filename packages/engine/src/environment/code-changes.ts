import { getOrMake } from '@kubeadmit/base';
import {
  CelError,
  type FunctionImplementation,
  type Library,
  type Overload,
  type Value,
} from '@kubeadmit/cel';
import { type FormatClause, formatByClause, makeFormat } from '@kubeadmit/cel/declarations';
import { optionalLibrary } from '@kubeadmit/cel/libraries/optionals';
import { stringsLibrary } from '@kubeadmit/cel/libraries/strings';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import type { DescribeSyntaxErrors } from '@kubeadmit/cel/unstable-internal';
import { codePointCount } from '@kubeadmit/go';
import { cidrLibrary, containsCidrText, containsFirstCidr } from '../libraries/cidr.ts';

/** Describes syntax errors as the code of a version: before 1.33, its parser had no tokens for names in backticks. */
export function describeInCode(code: number): DescribeSyntaxErrors {
  return code >= 33
    ? describeSyntaxErrors
    : (text, syntax) => describeSyntaxErrors(text, { ...syntax, escapedIdentifierTokens: false });
}

/** How the code of a version does something else than the newest. */
interface CodeChange {
  readonly library: Library;
  /** The last minor version of Kubernetes that has the code. */
  readonly until: number;
  change(library: Library): Library;
}

/**
 * Changes of cel-go that belong to no library version: each Kubernetes version contains a newer cel-go, whatever
 * libraries expressions may use.
 */
const codeChanges: readonly CodeChange[] = [
  // cel-go 0.23 brought functions to `OptionalTypes`.
  { library: optionalLibrary, until: 32, change: (library) => without(library, newOptionals) },
  // Seen in 1.33: the end of an empty string, from which `lastIndexOf` looks, was out of range.
  {
    library: stringsLibrary,
    until: 33,
    change: (library) =>
      withRefusals(library, {
        string_last_index_of_string: (text, part) =>
          text === '' && part !== '' ? outOfRange(-1) : undefined,
      }),
  },
  // Before cel-go 0.22 places beyond the last character were out of range, too.
  {
    library: stringsLibrary,
    until: 31,
    change: (library) =>
      withRefusals(library, {
        string_index_of_string: refuseBeyond,
        string_index_of_string_int: refuseBeyond,
        string_last_index_of_string_int: refuseBeyond,
      }),
  },
  // Seen in 1.32: golang.org/x/text put narrow spaces around the cross of `%e`.
  {
    library: stringsLibrary,
    until: 32,
    change: (library) => withEvaluations(library, { string_format: makeFormat(spacedFormat) }),
  },
  // apiserver v0.31.4, pkg/cel/library/cidr.go
  {
    library: cidrLibrary,
    until: 31,
    change: (library) =>
      withEvaluations(library, {
        cidr_contains_cidr_string: containsCidrText(containsFirstCidr),
        cidr_contains_cidr: containsFirstCidr,
      }),
  },
];

const newOptionals: readonly string[] = ['first', 'last', 'optional.unwrap', 'unwrapOpt'];

const older = new Map<number, Map<Library, Library>>();

/** A library as the code of a version has it. */
export function asInCode(library: Library, code: number): Library {
  const changes = codeChanges.filter((each) => each.library === library && code <= each.until);
  if (changes.length === 0) return library;
  const known = getOrMake(older, code, () => new Map<Library, Library>());
  return getOrMake(known, library, () =>
    changes.reduce((changed, { change }) => change(changed), library),
  );
}

function without(library: Library, names: readonly string[]): Library {
  const functions = library.functions?.filter(({ name }) => !names.includes(name)) ?? [];
  return { ...library, functions };
}

function spacedFormat(value: Value, clause: FormatClause): string {
  const text = formatByClause(value, clause);
  return clause.verb === 'e' ? text.replace('×', '\u202f×\u202f') : text;
}

/** A library with other evaluations of overloads, by their ids. */
function withEvaluations(
  library: Library,
  evaluations: Readonly<Record<string, FunctionImplementation>>,
): Library {
  return withOverloads(library, (overload) => {
    const evaluate = evaluations[overload.id];
    return evaluate === undefined ? overload : { ...overload, evaluate };
  });
}

function withOverloads(library: Library, change: (overload: Overload) => Overload): Library {
  const functions = library.functions?.map((each) => ({
    ...each,
    overloads: each.overloads.map(change),
  }));
  return { ...library, functions: functions ?? [] };
}

type Refusals = Readonly<
  Record<string, (text: Value, part: Value, from?: Value) => CelError | undefined>
>;

/** A library with overloads, by their ids, that refuse some arguments. */
function withRefusals(library: Library, refusals: Refusals): Library {
  return withOverloads(library, (overload) => {
    const { evaluate } = overload;
    const refuse = refusals[overload.id];
    if (refuse === undefined || evaluate === undefined) return overload;
    return {
      ...overload,
      evaluate: (...values) => {
        const [text = '', part = '', from] = values;
        return refuse(text, part, from) ?? evaluate(...values);
      },
    };
  });
}

function refuseBeyond(text: Value, part: Value, from: Value = 0): CelError | undefined {
  return part !== '' && (from as number | bigint) >= codePointCount(text as string)
    ? outOfRange(from as number | bigint)
    : undefined;
}

function outOfRange(place: number | bigint): CelError {
  return new CelError(`index out of range: ${place}`);
}

/** Whether a server's code hands Go structs to the expressions of policies, and not JSON (apiserver plugin/cel/activation.go). */
export function handsOnStructs(code: number): boolean {
  return code >= 37;
}
