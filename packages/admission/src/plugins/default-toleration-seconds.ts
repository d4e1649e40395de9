import { member, memberList, memberText } from '@kubeadmit/apimachinery';
import type { AdmissionPlugin } from './plugin.ts';
import { isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Adds the tolerations with which pods stay for five minutes on a node that is not ready or unreachable. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  mutate: (request) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'pods')) return undefined;
    const tolerations = memberList(member(object, 'spec'), 'tolerations');
    const missing = taints.filter((key) => !tolerations.some((own) => tolerates(own, key)));
    if (missing.length === 0) return undefined;
    const added = missing.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    }));
    return { object: withSpec(object, { tolerations: [...tolerations, ...added] }) };
  },
};

function tolerates(toleration: unknown, taint: string): boolean {
  const key = memberText(toleration, 'key');
  const effect = memberText(toleration, 'effect');
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}
