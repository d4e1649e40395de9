import { groupBy } from '@kubeadmit/base';
import type { Source, TextEdit } from '@kubeadmit/manifest';
import type { LintIssue } from './issue/issue.ts';
import { edited } from './issue/repair.ts';

/** A text with its issues repaired. */
export interface Fixed {
  /** The text as it was. */
  readonly source: Source;
  /** The text with the repairs. */
  readonly text: string;
  /** The issues that are repaired; those that would change the same place as another are not. */
  readonly issues: readonly LintIssue[];
}

/** Applies the certain repairs, source by source; sources without any are left out. */
export function applyFixes(issues: readonly LintIssue[]): readonly Fixed[] {
  const fixable = issues.filter(({ fix }) => fix !== undefined);
  return [...groupBy(fixable, ({ source }) => source)].flatMap(([source, found]) =>
    source === undefined ? [] : [fixedSource(source, found)],
  );
}

function fixedSource(source: Source, issues: readonly LintIssue[]): Fixed {
  const taken: TextEdit[] = [];
  const repaired: LintIssue[] = [];
  for (const issue of issues) {
    const edits = issue.fix?.edits ?? [];
    const isFree = edits.every((edit) => !taken.some((other) => overlap(edit, other)));
    if (!isFree) continue;
    taken.push(...edits);
    repaired.push(issue);
  }
  return { source, text: edited(source.text, taken), issues: repaired };
}

function overlap({ range: a }: TextEdit, { range: b }: TextEdit): boolean {
  return (a.start < b.end && b.start < a.end) || a.start === b.start;
}
