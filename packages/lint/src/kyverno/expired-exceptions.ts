import { requireList, requireValue } from '@kubeadmit/base';
import { kyvernoRole, policyJson } from '@kubeadmit/chain/kyverno';
import { mayExpire, readCelException } from '@kubeadmit/kyverno/unstable-internal';
import type { Manifest } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/**
 * Returns a warning for every PolicyException whose `spec.expiresAt` has passed.
 *
 * @param now the time in milliseconds since 1970
 */
export function expiredExceptions(
  manifests: readonly Manifest[],
  now: number,
): readonly LintIssue[] {
  requireList('expiredExceptions', manifests, { what: 'manifests', has: 'object' });
  requireValue('expiredExceptions: `now`', now, 'number', 'a time in milliseconds since 1970');
  return manifests
    .filter((manifest) => kyvernoRole(manifest) === 'exception')
    .flatMap((manifest) => {
      const exception = readCelException(policyJson(manifest.object));
      const { expiresAt, spec } = exception;
      if (expiresAt === undefined || now <= expiresAt || !mayExpire(exception)) return [];
      const message = `the exception expired at ${String(spec['expiresAt'])} and no longer applies in a cluster; Kyverno's CLI ignores \`expiresAt\``;
      const text = { code: 'expired-exception', severity: 'warning', message } as const;
      return [issueAt(manifest, 'spec.expiresAt', text)];
    });
}
