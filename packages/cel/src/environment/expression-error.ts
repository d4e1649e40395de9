import type { Issue } from '../syntax/issue.ts';
import { formatIssue, type Source } from '../syntax/source.ts';

/**
 * Why an expression has no value: it cannot be read, its types do not fit, or its evaluation failed.
 *
 * The message shows each issue with its line of the text; `issues` have the texts alone.
 */
export class ExpressionError extends Error {
  /** At least one issue; its `code` names the phase that found it, `evaluation` for a failed evaluation. */
  readonly issues: readonly Issue[];
  /** The offset of the first issue in the text in UTF-16 units, or -1 where it has no place. */
  readonly position: number;
  /** Its line from 1, or -1. */
  readonly line: number;
  /** Its column in code points from 0, or -1. */
  readonly column: number;
  /** The expression. */
  readonly text: string;

  constructor(source: Source, issues: readonly Issue[]) {
    super(
      issues
        .map((issue) => (issue.position < 0 ? issue.message : formatIssue(source, issue)))
        .join('\n'),
    );
    const [first] = issues;
    this.name = 'ExpressionError';
    this.issues = issues;
    this.position = first?.position ?? -1;
    this.line = first?.line ?? -1;
    this.column = first?.column ?? -1;
    this.text = source.text;
  }
}
