import {
  bindingsLibrary,
  Environment,
  type EnvironmentOptions,
  encodersLibrary,
  type FunctionDeclaration,
  type Library,
  listsLibrary,
  mathLibrary,
  newestStringsLibrary,
  optionalLibrary,
  setsLibrary,
  type Type,
  twoVariableComprehensionsLibrary,
} from '../../src/index.ts';
import { blockDeclarations, blockLibrary, blockVariables } from './block-macros.ts';
import { typeFromJson } from './convert.ts';
import type { Declaration, SimpleTest } from './suite.ts';

const libraries: readonly Library[] = [
  optionalLibrary,
  bindingsLibrary,
  encodersLibrary,
  mathLibrary,
  newestStringsLibrary,
  listsLibrary,
  setsLibrary,
  twoVariableComprehensionsLibrary,
];

const evaluating = new Environment({ libraries: [...libraries, blockLibrary] });

// cel-go compares numbers of different types by declaration only where it is told so.
const checking = new Environment({
  libraries: [...libraries, blockDeclarations],
  variables: blockVariables,
  mixedComparisons: false,
});

/** The environment in which a test is evaluated: cel-go's conformance runner's. */
export function evaluationEnvironment(test: SimpleTest): Environment {
  return evaluating.extend(declared(test));
}

/** The environment in which the recorded types of a test were found. */
export function checkEnvironment(test: SimpleTest): Environment {
  return checking.extend(declared(test));
}

/** What a test declares. */
export function declared({ typeEnv = [], container }: SimpleTest): EnvironmentOptions {
  const variables: Record<string, Type> = {};
  const functions: FunctionDeclaration[] = [];
  for (const declaration of typeEnv) {
    if (declaration.ident !== undefined) {
      variables[declaration.name] = typeFromJson(declaration.ident.type);
    } else {
      functions.push(functionFrom(declaration));
    }
  }
  return {
    variables,
    ...(container === undefined ? {} : { container }),
    ...(functions.length === 0 ? {} : { libraries: [{ name: 'declared', functions }] }),
  };
}

function functionFrom({ name, function: declared }: Declaration): FunctionDeclaration {
  return {
    name,
    overloads: (declared?.overloads ?? []).map((overload) => ({
      id: overload.overloadId,
      parameters: (overload.params ?? []).map(typeFromJson),
      result: typeFromJson(overload.resultType),
      member: overload.isInstanceFunction ?? false,
    })),
  };
}
