import type { FunctionTable } from '../steps/step.ts';
import { arithmeticFunctions } from './arithmetic.ts';
import { builtinFunctions } from './builtin.ts';
import { collectionFunctions } from './collections.ts';
import { encodingFunctions } from './encoding.ts';
import { textFunctions } from './text.ts';
import { timeFunctions } from './times.ts';

/** Every function that Kyverno's JMESPath knows. */
export const functionTable: FunctionTable = new Map([
  ...builtinFunctions,
  ...textFunctions,
  ...collectionFunctions,
  ...arithmeticFunctions,
  ...timeFunctions,
  ...encodingFunctions,
]);

/** The names of these functions. */
export const functionNames: ReadonlySet<string> = new Set(functionTable.keys());
