/** A place in an expression as cel-go numbers it: lines from 1, columns in code points from 0. */
export interface IssuePosition {
  readonly line: number;
  readonly column: number;
}

/** One message of the CEL parser about an expression that it refuses. */
export interface SyntaxIssue extends IssuePosition {
  /** cel-go's message. */
  readonly message: string;
}

/** The position of messages about the expression as a whole, such as exceeded limits. */
export const nowhere: IssuePosition = { line: -1, column: -1 };

/** The position that cel-go computes for places it does not know: just before the first character. */
export const beforeStart: IssuePosition = { line: 1, column: -1 };
