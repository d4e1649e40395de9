import type { Library } from '../library.ts';
import { standardMacros } from '../syntax/standard-macros.ts';
import { coreFunctions, standardTypes } from './core-library.ts';
import { matches } from './matches.ts';

/** What every CEL environment has: operators, conversions, functions, macros and type names. */
export const standardLibrary: Library = {
  name: 'standard',
  functions: [...coreFunctions, matches],
  macros: standardMacros,
  types: standardTypes,
};
