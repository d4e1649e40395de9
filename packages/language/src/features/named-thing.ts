import type { Range } from '../text/text-lines.ts';

/** One place where something is named. */
export interface Occurrence {
  readonly uri: string;
  readonly range: Range;
  /** Whether it is named here for the first time. */
  readonly isDefinition: boolean;
}

/** The thing that is named at a position, with all its occurrences. */
export interface NamedThing {
  readonly kind:
    | 'variable'
    | 'loop variable'
    | 'context entry'
    | 'policy'
    | 'parameter'
    | 'definition'
    | 'rule';
  readonly name: string;
  readonly range: Range;
  readonly occurrences: readonly Occurrence[];
  /** The names that are already used in the same scope. */
  readonly taken?: ReadonlySet<string>;
}
