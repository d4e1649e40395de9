import { writeFileSync } from 'node:fs';
import { applyFixes, type LintIssue } from '@kubeadmit/lint';
import { writing } from '../input/streams.ts';
import { printableLine } from '../output/style.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Writes files anew with what can be repaired for certain, and tells of each repair on standard error. Standard input
 * stays as it is. Gives the issues that are left.
 *
 * @throws CommandFailure where a file cannot be written
 */
export function repairFiles(
  issues: readonly LintIssue[],
  { stderr }: Terminal,
): readonly LintIssue[] {
  const repaired = new Set<LintIssue>();
  for (const { source, text, issues: found } of applyFixes(issues)) {
    if (source.name === '<stdin>') continue;
    writing(source.name, () => writeFileSync(source.name, text));
    for (const issue of found) {
      repaired.add(issue);
      const { line } = issue.place ?? {};
      const what = `${source.name}:${line}: ${issue.fix?.title}`;
      stderr.write(`repaired ${printableLine(what)} [${issue.code}]\n`);
    }
  }
  return issues.filter((issue) => !repaired.has(issue));
}
