import type { Library } from '../library.ts';
import { standardLibraryWith } from './core-library.ts';
import { matches } from './matches.ts';

/** The library of every CEL environment, including regular expressions. */
export const standardLibrary: Library = /* @__PURE__ */ standardLibraryWith(matches);
