import { member, memberList, memberText } from '@kubeadmit/apimachinery';
import type { AdmissionPlugin } from './plugin.ts';
import { isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Taints new nodes as not ready, until the node controller finds them ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  mutate: (request) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'nodes')) return undefined;
    const taints = memberList(member(object, 'spec'), 'taints');
    const isTainted = taints.some(
      (taint) =>
        memberText(taint, 'key') === notReady.key &&
        memberText(taint, 'effect') === notReady.effect,
    );
    return isTainted ? undefined : { object: withSpec(object, { taints: [...taints, notReady] }) };
  },
};
