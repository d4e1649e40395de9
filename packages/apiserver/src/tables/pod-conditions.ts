import { type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';

const messages: ReadonlyMap<string, string> = new Map([
  ['Succeeded', 'The pod has completed successfully.'],
  ['Failed', 'The pod failed.'],
]);

/**
 * Returns the conditions of the row of a finished pod, or `undefined` for other pods
 * (printers/internalversion `podSuccessConditions`, `podFailedConditions`).
 */
export function podConditions(pod: KubernetesObject): readonly KubernetesObject[] | undefined {
  const phase = memberText(member(pod, 'status'), 'phase');
  const message = messages.get(phase);
  if (message === undefined) return undefined;
  return [{ type: 'Completed', status: 'True', reason: phase, message }];
}
