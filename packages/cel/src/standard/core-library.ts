import type { Standard } from '../environment/standard-vocabulary.ts';
import type { FunctionDeclaration } from '../function-declaration.ts';
import type { Library } from '../library.ts';
import { standardMacros } from '../syntax/standard-macros.ts';
import { standardTypes } from '../types.ts';
import { CelError } from '../values/value.ts';
import { conversions } from './conversions.ts';
import { functions } from './functions.ts';
import { matchesOverloads } from './matches-overloads.ts';
import { operators } from './operators.ts';
import { timeFunctions } from './time.ts';

/** The library of every CEL environment: operators, conversions, functions, macros and type names. */
export function standardLibraryWith(matches: FunctionDeclaration): Library {
  return {
    name: 'standard',
    functions: [...operators, ...conversions, ...functions, ...timeFunctions, matches],
    macros: standardMacros,
    types: standardTypes,
  };
}

function missing(what: string): CelError {
  return new CelError(
    `${what} not in \`@kubeadmit/cel/core\`: import \`evaluate\` from \`@kubeadmit/cel\``,
  );
}

const withoutMatches = (): CelError => missing('regular expressions (`matches`) are');

/** The standard library without regular expressions and messages: what uses them is an error that says so. */
export const core: Standard = {
  library: standardLibraryWith({
    name: 'matches',
    overloads: matchesOverloads,
    singleton: withoutMatches,
    specialize: withoutMatches,
  }),
  createMessage: (name) => missing(`messages such as \`${name}\` are`),
};
