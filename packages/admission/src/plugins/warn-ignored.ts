import type { Warn } from './plugin.ts';

/** Reports the parts of a configuration that kube-apiserver ignores, such as a misspelled field. */
export function warnIgnored(findings: readonly string[], warn: Warn): void {
  if (findings.length > 0) warn(`ignored: ${findings.join(', ')}`);
}
