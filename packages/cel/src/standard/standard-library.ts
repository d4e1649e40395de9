import type { Library } from '../declarations/library.ts';
import { standardMacros } from '../syntax/standard-macros.ts';
import { standardTypes } from '../values/types.ts';
import { conversions } from './conversions.ts';
import { functions } from './functions.ts';
import { matches } from './matches.ts';
import { operators } from './operators.ts';
import { timeFunctions } from './time.ts';

/** The library of every CEL environment: operators, conversions, functions, macros and type names. */
export const standardLibrary: Library = {
  name: 'standard',
  functions: [...operators, ...conversions, ...functions, ...timeFunctions, matches],
  macros: standardMacros,
  types: standardTypes,
};
