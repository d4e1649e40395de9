import type { Manifest } from '@kubeadmit/manifest';
import {
  type KyvernoPolicies,
  readKyvernoExceptions,
  readKyvernoPolicies,
} from '../kyverno/policies.ts';
import { issueAt, type LintIssue } from './issue.ts';

/** What Kyverno would refuse or warn of in its policies, and what of them is not evaluated here. */
export function kyvernoIssues(manifests: readonly Manifest[]): readonly LintIssue[] {
  const exceptions = readKyvernoExceptions(manifests).cel;
  const policies = readKyvernoPolicies(manifests, { exceptions, clock: () => 0 });
  return [...refusedPolicies(policies), ...kyvernoAdvice(policies)];
}

/** What is wrong with policies that Kyverno would refuse. */
export function refusedPolicies({ classic, cel }: KyvernoPolicies): readonly LintIssue[] {
  const refusal = (manifest: Manifest, path: string, message: string): LintIssue => ({
    ...issueAt(manifest, path, { code: 'kyverno-refused', severity: 'error', message }),
    refused: true,
  });
  return [
    ...classic.flatMap(({ manifest, verdict }) =>
      verdict().problems.map(({ message, path }) => refusal(manifest, pathText(path), message)),
    ),
    ...cel.flatMap(({ manifest, policy }) =>
      policy.problems.map(({ path, message }) => refusal(manifest, path, message)),
    ),
  ];
}

function kyvernoAdvice({ classic, unsupported }: KyvernoPolicies): readonly LintIssue[] {
  const warning = (manifest: Manifest, code: string, message: string): LintIssue =>
    issueAt(manifest, '', { code, severity: 'warning', message });
  return [
    ...classic.flatMap(({ manifest, verdict }) =>
      verdict().warnings.map((message) => warning(manifest, 'kyverno-warning', message)),
    ),
    ...classic.flatMap(({ manifest, unsupportedRules }) =>
      [...unsupportedRules].map(([rule, reason]) =>
        warning(manifest, 'kyverno-not-evaluated', `rule ${rule}: ${reason}`),
      ),
    ),
    ...unsupported.map(({ manifest, reason }) =>
      warning(manifest, 'kyverno-not-evaluated', reason),
    ),
  ];
}

function pathText(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}
