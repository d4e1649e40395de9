/** The note beside a line: the value of an expression and its results for all requests. */
export interface LineNote {
  /** Counted from 1. */
  readonly line: number;
  /** The value for one request; empty where it was not evaluated for that. */
  readonly text: string;
  readonly isError: boolean;
  /** Which results there were over all requests. */
  readonly coverage: 'both' | 'only true' | 'only false' | 'value';
  /** The expressions within, each with its value. */
  readonly parts: readonly (readonly [expression: string, value: string])[];
}
