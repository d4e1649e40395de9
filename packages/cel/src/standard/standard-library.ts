import type { Library } from '../library.ts';
import { standardLibraryWith } from './core-library.ts';
import { matches } from './matches.ts';

/** What every CEL environment has, regular expressions among it. */
export const standardLibrary: Library = /* @__PURE__ */ standardLibraryWith(matches);
