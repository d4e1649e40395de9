import { readText } from '@kubeadmit/files';
import { applyFixes, type LintIssue } from '@kubeadmit/lint';
import type { Source } from '@kubeadmit/manifest';
import { printableLine } from '../output/style.ts';
import { writeWhole } from '../output/targets.ts';
import type { Terminal } from '../process/terminal.ts';

/**
 * Repairs files where the repair is certain, and reports each one on standard error. Returns the issues that are left:
 * those without a repair, and those of texts that are not files, such as standard input, revisions and archives.
 *
 * @throws CommandFailure if a file cannot be written
 */
export function repairFiles(
  issues: readonly LintIssue[],
  { stderr }: Terminal,
): readonly LintIssue[] {
  const repaired = new Set<LintIssue>();
  for (const { source, text, issues: found } of applyFixes(issues)) {
    if (!isFileOf(source)) continue;
    writeWhole(source.name, text);
    for (const issue of found) {
      repaired.add(issue);
      const { line } = issue.place ?? {};
      const what = `${source.name}:${line}: ${issue.fix?.title}`;
      stderr.write(`fixed ${printableLine(what)} [${issue.code}]\n`);
    }
  }
  return issues.filter((issue) => !repaired.has(issue));
}

/** Whether the name of a source is that of a regular file with this text: names such as `a.tgz!b.yaml` are of no file. */
function isFileOf({ name, text }: Source): boolean {
  try {
    return readText(name, { regularOnly: true }) === text;
  } catch {
    return false;
  }
}
