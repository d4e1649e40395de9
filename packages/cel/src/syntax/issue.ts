/** A problem found before evaluation: where it is and what cel-go says of it. */
export interface Issue {
  /**
   * What found it; `internal` marks texts on which cel-go itself fails, `evaluation` what fails with the values
   * that were given.
   */
  readonly code: 'syntax' | 'type' | 'limit' | 'literal' | 'internal' | 'evaluation';
  /** What is wrong, in the words of cel-go. */
  readonly message: string;
  /** Offset in the source in UTF-16 units, or -1 where the problem has no place. */
  readonly position: number;
  /** Line from 1, or -1. */
  readonly line: number;
  /** Column in code points from 0, or -1. */
  readonly column: number;
}
