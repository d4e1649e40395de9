import { estimateCost } from '@kubeadmit/cel/estimate';
import type { CheckedExpression } from '@kubeadmit/cel/internal';
import type { DeclaredType } from '@kubeadmit/schemas/internal';
import { estimateKubernetesCall } from './kubernetes-call-estimate.ts';

/** The most that a rule can cost on values of a type, which definitions are limited by. */
export function mostCost(checked: CheckedExpression, root: DeclaredType): bigint {
  return estimateCost(checked, { sizeOf: () => root, estimateCall: estimateKubernetesCall }).max;
}
