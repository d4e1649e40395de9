import type { Declarations } from '../check/scope.ts';
import type { CheckedExpression } from '../declarations/checked-expression.ts';
import { standardCost } from '../declarations/costs.ts';
import { Definitions, type MergeFunctions } from '../declarations/definitions.ts';
import { wellKnownConstants, wellKnownField, wellKnownTypes } from '../declarations/well-known.ts';
import { makeHostPath } from '../plan/host-path.ts';
import type { PlanEnvironment } from '../plan/planning.ts';
import { optionalLibrary } from '../standard/optionals.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import { createWellKnown } from '../standard/well-known-values.ts';
import type { ParseOptions } from '../syntax/expression-parser.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Source } from '../syntax/source.ts';
import { Converter, type HostTypes } from '../values/to-cel.ts';
import { dynType } from '../values/types.ts';

// The meaning of names without declarations: enough for a page that only evaluates expressions.

/** The meaning of an expression's names for the parser, the checker and the planner. */
export interface CompilerVocabulary {
  readonly parseOptions: ParseOptions;
  readonly declarations: Declarations;
  readonly planEnvironment: PlanEnvironment;
  /** Describes the syntax errors of an expression; absent if the parser's single issue is used. */
  describeSyntaxErrors?(source: Source): readonly Issue[];
  /** Finds problems of a checked tree that go beyond types. */
  applyRules?(checked: CheckedExpression): readonly Issue[];
}

/** Finds the definitions of libraries, which are built on first use. */
export type FindDefinitions = () => Definitions;

/** The standard library and optionals, and a variable of type `dyn` for every other name. */
export function textVocabulary(): CompilerVocabulary {
  const definitions = new Definitions([standardLibrary, optionalLibrary], appendOverloads);
  const find = (): Definitions => definitions;
  const declarations = standardDeclarations(find);
  return {
    parseOptions: { macros: definitions.macros },
    declarations: {
      ...declarations,
      variableType: (name) => (isFree(name, declarations) ? dynType : undefined),
    },
    planEnvironment: {
      ...standardPlanEnvironment(find),
      host: { typeOf: () => dynType, types: noTypes, makePath: makeHostPath },
    },
  };
}

/** Knows no types: every value has any type. */
const noTypes: HostTypes = {
  typeOfInstance: () => undefined,
  converter: (name) => new Converter(name),
};

/** The declarations differ, and neither has an implementation for all overloads. */
const appendOverloads: MergeFunctions = (first, { overloads }) => ({
  ...first,
  overloads: [...first.overloads, ...overloads],
});

/** Whether nothing has the name, so that it may be that of a variable. */
export function isFree(
  name: string,
  { namedType, constant, hasStruct }: Pick<Declarations, 'namedType' | 'constant' | 'hasStruct'>,
): boolean {
  return (
    !name.includes('.') &&
    namedType(name) === undefined &&
    constant(name) === undefined &&
    !hasStruct(name)
  );
}

/** Returns the declarations of libraries and of the well-known messages. */
export function standardDeclarations(find: FindDefinitions): Declarations {
  return {
    container: '',
    variableType: () => undefined,
    findFunction: (name) => {
      const found = find().functions.get(name);
      return found?.internal === true ? undefined : found;
    },
    namedType: (name) => find().types.get(name),
    hasStruct: (name) => wellKnownTypes.has(name),
    fieldType: wellKnownField,
    constant: (name) => wellKnownConstants.get(name),
    mayQualify: (name) => name.startsWith('.') || find().qualifiers.has(name),
    isDisabled: () => false,
  };
}

/** Returns the planner's view of the declarations. */
export function standardPlanEnvironment(find: FindDefinitions): PlanEnvironment {
  return {
    host: undefined,
    paths: undefined,
    typeValue: (name) => (find().evaluableTypes.has(name) ? find().types.get(name) : undefined),
    hasStruct: (name) => wellKnownTypes.has(name),
    structMaker: (name) => (fields) => createWellKnown(name, fields),
    fieldReader: () => undefined,
    callCost: (_, overload) => find().overloadCosts.get(overload) ?? standardCost(overload),
  };
}
