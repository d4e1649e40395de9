import { member, memberList, memberText, metadataString } from '@kubeadmit/apimachinery';
import { forbiddenStatus } from '@kubeadmit/apimachinery/status';
import type { AdmissionPlugin } from './plugin.ts';
import { isAbout, refuse } from './refusal.ts';

const hostname = 'kubernetes.io/hostname';

/** Refuses pods whose required anti-affinity has another topology than the node. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  operations: ['CREATE', 'UPDATE'],
  validate: (request) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'pods')) return undefined;
    const affinity = member(member(member(object, 'spec'), 'affinity'), 'podAntiAffinity');
    const other = memberList(affinity, 'requiredDuringSchedulingIgnoredDuringExecution')
      .map((term) => memberText(term, 'topologyKey'))
      .find((key) => key !== hostname);
    if (other === undefined) return undefined;
    const text = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other} but only key ${hostname} is allowed`;
    const subject = { group: '', name: 'pods' };
    return refuse(forbiddenStatus(subject, metadataString(object, 'name'), text));
  },
};
