import type { Warn } from '../plugin.ts';

/** Reports what kube-apiserver ignores in a configuration, such as a misspelled field. */
export function warnIgnored(findings: readonly string[], warn: Warn): void {
  if (findings.length > 0) warn(`ignored: ${findings.join(', ')}`);
}
