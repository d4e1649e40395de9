import { kyvernoRole } from '@kubeadmit/lint/internal';
import type { Manifest } from '@kubeadmit/manifest';
import type { Passage } from '../chain/pass-request.ts';
import type { ExplainedPolicy } from './explanation.ts';

/** What the policies of Kyverno say of a request, each with its rules. */
export function explainKyverno(
  policies: readonly Manifest[],
  { findings }: Passage,
): readonly ExplainedPolicy[] {
  return policies.flatMap((manifest): ExplainedPolicy[] => {
    if (kyvernoRole(manifest) === 'exception') return [];
    const { kind, name: policy, file, line } = manifest;
    const own = findings.filter((each) => each.policy === policy && each.binding === undefined);
    const rules = own.map(({ rule, verdict, message }) => ({
      ...(rule === undefined ? {} : { rule }),
      verdict,
      ...(message === undefined ? {} : { message }),
    }));
    const matched = own.some(({ verdict }) => verdict !== 'skip');
    const reason = matched ? 'a rule of it matches' : 'no rule of it matches';
    return [{ kind, policy, file, line, matched, reason, bindings: [], rules }];
  });
}
