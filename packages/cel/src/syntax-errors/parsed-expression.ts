import type { IssuePosition } from './issue.ts';

/** The form of an expression, as far as macros depend on it. */
export type ExpressionForm =
  | 'identifier'
  | 'select'
  | 'list'
  | 'call'
  | 'comprehension'
  | 'other'
  /** Put where errors left nothing to build. */
  | 'unspecified';

/** The little that must be known of a parsed expression to report the errors of macros. */
export interface ParsedExpression {
  readonly form: ExpressionForm;
  /** The name of an identifier, with its leading dot. */
  readonly name?: string;
  readonly position: IssuePosition;
}
