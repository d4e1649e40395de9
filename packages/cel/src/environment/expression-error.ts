import type { Issue } from '../syntax/issue.ts';
import { formatIssue, type Source } from '../syntax/source.ts';
import { hintForIssue } from './hints.ts';

/**
 * Why an expression has no value: it cannot be read, its types do not fit, or its evaluation failed.
 *
 * The message is one line with the place and text of each issue. `issues` have the texts alone, as cel-go writes them.
 */
export class ExpressionError extends Error {
  /** At least one issue; its `code` names the phase that found it, `evaluation` for a failed evaluation. */
  readonly issues: readonly Issue[];
  /** The offset of the first issue in the text in UTF-16 units, or -1 where it has no place. */
  readonly position: number;
  /** Its line from 1, or -1. */
  readonly line: number;
  /** Its column in code points from 0 as in `issues`, or -1; the message counts columns from 1. */
  readonly column: number;
  /** The expression. */
  readonly text: string;
  /** A way to repair the first issue, or the values that caused it. */
  readonly hint: string | undefined;
  /** The issues as cel-go prints them, each with its line of the expression and a caret. */
  readonly excerpt: string;

  constructor(source: Source, issues: readonly Issue[], hint?: string) {
    const [first] = issues;
    const advice = hint ?? (first && hintForIssue(first));
    super(issues.map(placed).join('; ') + (advice === undefined ? '' : ` (${advice})`));
    this.name = 'ExpressionError';
    this.issues = issues;
    this.position = first?.position ?? -1;
    this.line = first?.line ?? -1;
    this.column = first?.column ?? -1;
    this.text = source.text;
    this.hint = advice;
    this.excerpt = issues
      .map((issue) => (issue.position < 0 ? issue.message : formatIssue(source, issue)))
      .join('\n');
  }
}

function placed({ position, line, column, message }: Issue): string {
  return position < 0 ? message : `${line}:${column + 1}: ${message}`;
}
