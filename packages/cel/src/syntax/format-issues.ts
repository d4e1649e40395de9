import type { Issue } from './issue.ts';
import { formatIssue, type Source } from './source.ts';

const maximalIssues = 100;

/**
 * Prints issues as cel-go does: the first 100, sorted by place, each with its line of the source
 * and a caret.
 */
export function formatIssues(source: Source, issues: readonly Issue[]): string {
  const shown = issues
    .slice(0, maximalIssues)
    .sort((left, right) => left.line - right.line || left.column - right.column)
    .map((issue) => formatIssue(source, issue));
  if (issues.length > maximalIssues) {
    shown.push(`${issues.length - maximalIssues} more errors were truncated`);
  }
  return shown.join('\n');
}
