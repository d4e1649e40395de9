/** A problem found before evaluation: its position and cel-go's message. */
export interface Issue {
  /**
   * The phase that found it; `internal` marks expressions on which cel-go itself fails, `evaluation` failures with
   * the given values.
   */
  readonly code: 'syntax' | 'type' | 'limit' | 'literal' | 'internal' | 'evaluation';
  /** cel-go's message. */
  readonly message: string;
  /** Offset in the source in UTF-16 units, or -1 where the problem has no place. */
  readonly position: number;
  /** Line from 1, or -1. */
  readonly line: number;
  /** Column in code points from 0, or -1. */
  readonly column: number;
}
