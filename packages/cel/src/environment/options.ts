import {
  describeValue,
  hasMembers,
  isPlainObject,
  type OptionKind,
  requireOptions,
} from '@kubeadmit/base';
import type { CallCost, Library, TreeRule } from '../declarations/library.ts';
import type { TypeDefinition } from '../host/type-definition.ts';
import type { FieldReader } from '../plan/apply-qualifiers.ts';
import type { ParseOptions } from '../syntax/expression-parser.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';

/** Object types in addition to those of the libraries. */
export interface StructProvider {
  /** Whether there is an object type of the name. */
  has(name: string): boolean;
  /** The type of a field; `undefined` where the object type has no such field. */
  fieldType(name: string, field: string): Type | undefined;
  /** Makes the value of `Name{field: value}`; without it such literals fail. */
  create?(name: string, fields: ReadonlyMap<string, Value>): Value;
  /**
   * Reads the fields of values that an expression knows to be of the type; default: the values have them themselves.
   */
  fields?(name: string): FieldReader | undefined;
}

/** Finds all that is wrong with a text, given the syntax that the environment knows. */
export type DescribeSyntaxErrors = (
  text: string,
  syntax: {
    /** Signatures of the macros, such as `has(1)` and `.all(2)`. */
    readonly macros: readonly string[];
    readonly optionalSyntax: boolean;
    readonly escapedIdentifiers: boolean;
  },
) => readonly Pick<Issue, 'line' | 'column' | 'message'>[];

/** The options of an {@link Environment}. */
export interface EnvironmentOptions extends Omit<ParseOptions, 'macros'> {
  /** Libraries in addition to the standard one. */
  readonly libraries?: readonly Library[];
  /** Variables with their types, as types or as texts such as `map<string, list<int>>`; default none. */
  readonly variables?: Readonly<Record<string, Type | string>>;
  /** Named constants. */
  readonly constants?: Readonly<Record<string, Value>>;
  /** The namespace in which names are looked up first, such as `google.protobuf`. */
  readonly container?: string;
  /** Types of messages, for `TypeName{field: value}`. */
  readonly structs?: StructProvider;
  /** Object types by their names, as for `Environment.registerType`. */
  readonly types?: Readonly<Record<string, TypeDefinition>>;
  /** Whether every name that is not declared is a variable of type `dyn`; default not, so that it is an issue. */
  readonly unlistedVariablesAreDyn?: boolean;
  /**
   * Whether variables are bound to CEL values that need neither conversion nor a check of their types: for hosts whose
   * data is known to be JSON.
   */
  readonly bindingsAreValues?: boolean;
  /** Whether `1 < 2.0` is allowed; true unless said otherwise. */
  readonly mixedComparisons?: boolean;
  /** Further rules for checked trees; they report before those of the libraries. */
  readonly rules?: readonly TreeRule[];
  /** Costs of calls that win over cel-go's; `undefined` where those hold. */
  readonly callCost?: (name: string, overload: string) => CallCost | undefined;
  /**
   * Describes the syntax errors of an expression, in place of the parser's single issue;
   * `describeSyntaxErrors` of `@kubeadmit/cel/syntax-errors` gives cel-go's texts.
   */
  readonly describeSyntaxErrors?: DescribeSyntaxErrors;
}

const optionKinds: Readonly<Record<keyof EnvironmentOptions, OptionKind>> = {
  libraries: 'any',
  variables: 'any',
  constants: 'object',
  container: 'string',
  structs: 'object',
  types: 'object',
  unlistedVariablesAreDyn: 'boolean',
  bindingsAreValues: 'boolean',
  mixedComparisons: 'boolean',
  rules: 'list',
  callCost: 'function',
  describeSyntaxErrors: 'function',
  optionalSyntax: 'boolean',
  escapedIdentifiers: 'boolean',
};

/**
 * Requires a name that expressions can use; `what` describes it in the message. Names that macros create start with
 * `@`.
 *
 * @throws TypeError for an invalid name
 */
export function requireName(name: string, what: string): void {
  if (typeof name !== 'string' || !/^@?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(name)) {
    throw new TypeError(`a ${what} needs a name such as \`user\`, not ${describeValue(name)}`);
  }
}

/**
 * Requires the options of an environment.
 *
 * @throws TypeError for unknown or invalid options
 */
export function requireEnvironmentOptions(call: string, options: EnvironmentOptions): void {
  requireOptions(call, options, optionKinds);
  const { variables, constants, types, libraries } = options;
  if (variables !== undefined && !isPlainObject(variables)) {
    throw new TypeError(
      "`variables` must contain types by name, such as `{ user: 'map<string, dyn>' }`",
    );
  }
  for (const [what, named] of Object.entries({
    variable: variables,
    constant: constants,
    type: types,
  })) {
    for (const name in named) requireName(name, what);
  }
  if (libraries !== undefined && !(Array.isArray(libraries) && libraries.every(isLibrary))) {
    throw new TypeError('`libraries` must be a list of libraries, such as `[optionalLibrary]`');
  }
}

function isLibrary(value: unknown): boolean {
  return hasMembers(value) && 'name' in value;
}
