import type { Standard } from '../environment/standard-vocabulary.ts';
import { standardLibrary } from './standard-library.ts';
import { createWellKnown } from './well-known-values.ts';

/** All that every expression may use. */
export const standard: Standard = { library: standardLibrary, createMessage: createWellKnown };
