import { forbiddenStatus } from '@kubeadmit/apimachinery/status';
import { formatStandard, isSameStandard, type Standard } from '@kubeadmit/pod-security/standards';
import {
  evaluatePod,
  forbiddenDetails,
  type Pod,
  type Violation,
} from '@kubeadmit/pod-security/unstable-internal';
import type { PluginCluster, PluginCount, PluginOutcome, PluginRequest } from '../plugin.ts';
import { countError, countEvaluation, type Decision, type Mode } from './metrics.ts';
import { labelPrefix, type NamespacePolicy } from './namespace-policy.ts';

/** A pod with the policy of its namespace. */
export interface PodQuestion {
  readonly pod: Pod;
  readonly policy: NamespacePolicy;
  /** The problems of the labels of the namespace, as one text; empty without problems. */
  readonly labelProblems: string;
  /** Whether a violation of `enforce` refuses the request; templates of workloads are never refused. */
  readonly isEnforced: boolean;
}

/** Applies the policy of a namespace to a pod or to the pod template of a workload (`EvaluatePod`). */
export function answerPod(
  request: PluginRequest,
  { pod, policy, labelProblems, isEnforced }: PodQuestion,
  { minor }: PluginCluster,
): PluginOutcome {
  const known: { readonly standard: Standard; readonly violations: readonly Violation[] }[] = [];
  const violationsOf = (standard: Standard): readonly Violation[] => {
    const same = known.find((each) => isSameStandard(each.standard, standard));
    if (same !== undefined) return same.violations;
    const violations = evaluatePod(pod, standard, minor);
    known.push({ standard, violations });
    return violations;
  };
  const enforced = isEnforced ? violationsOf(policy.enforce) : [];
  const audited = violationsOf(policy.audit);
  const auditAnnotations = {
    ...(labelProblems === ''
      ? {}
      : { [`${labelPrefix}error`]: `Failed to parse policy: ${labelProblems}` }),
    ...(isEnforced ? { [`${labelPrefix}enforce-policy`]: formatStandard(policy.enforce) } : {}),
    ...(audited.length > 0
      ? {
          [`${labelPrefix}audit-violations`]: `would ${violates(policy.audit, audited)}`,
        }
      : {}),
  };
  const counted = (mode: Mode, decision: Decision): PluginCount =>
    countEvaluation(request, { standard: policy[mode], mode, decision, minor });
  const counts = [
    ...(labelProblems === '' ? [] : [countError(request, { isFatal: false })]),
    ...(isEnforced ? [counted('enforce', enforced.length > 0 ? 'deny' : 'allow')] : []),
    ...(audited.length > 0 ? [counted('audit', 'deny')] : []),
  ];
  if (enforced.length > 0) {
    const resource = { group: request.resource.group, name: request.resource.resource };
    const text = violates(policy.enforce, enforced, 'violates');
    return { auditAnnotations, counts, denial: forbiddenStatus(resource, request.name, text) };
  }
  const warned = violationsOf(policy.warn);
  if (warned.length === 0) return { auditAnnotations, counts };
  return {
    auditAnnotations,
    counts: [...counts, counted('warn', 'deny')],
    warnings: [`would ${violates(policy.warn, warned)}`],
  };
}

function violates(standard: Standard, violations: readonly Violation[], verb = 'violate'): string {
  return `${verb} PodSecurity "${formatStandard(standard)}": ${forbiddenDetails(violations)}`;
}
