import type { Library } from '../library.ts';
import { standardMacros } from '../syntax/standard-macros.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../types.ts';
import { conversions } from './conversions.ts';
import { functions } from './functions.ts';
import { operators } from './operators.ts';
import { timeFunctions } from './time.ts';

/** What every CEL environment has: operators, conversions, functions, macros and type names. */
export const standardLibrary: Library = {
  name: 'standard',
  functions: [...operators, ...conversions, ...functions, ...timeFunctions],
  macros: standardMacros,
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listType,
    mapType,
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
  ],
};
