import {
  Environment,
  type EnvironmentOptions,
  type FunctionDeclaration,
  type Library,
  type Type,
} from '../../src/index.ts';
import { bindingsLibrary } from '../../src/libraries/bindings.ts';
import { encodersLibrary } from '../../src/libraries/encoders.ts';
import { listsLibrary } from '../../src/libraries/lists.ts';
import { mathLibrary } from '../../src/libraries/math.ts';
import { newestStringsLibrary } from '../../src/libraries/newest-strings.ts';
import { setsLibrary } from '../../src/libraries/sets.ts';
import { twoVariableComprehensionsLibrary } from '../../src/libraries/two-variable-comprehensions.ts';
import { optionalLibrary } from '../../src/standard/optionals.ts';
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

// cel-go compares numbers of different types by declaration only if it is configured to.
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

/** Returns the declarations of a test. */
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
