import type { PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** Reports variables that a later one of the same name hides: the last one is read everywhere. */
export function hiddenVariables(manifest: Manifest, { variables }: PolicySpec): LintIssue[] {
  const names = (variables ?? []).map(({ name }) => name);
  return names.flatMap((name, i) => {
    const last = names.lastIndexOf(name);
    if (last === i) return [];
    const message = `the variable \`${name}\` is hidden by spec.variables[${last}] of the same name: rename one of them`;
    const text = { code: 'shadowed-name', severity: 'warning', message } as const;
    return [issueAt(manifest, `spec.variables[${i}].name`, text)];
  });
}
