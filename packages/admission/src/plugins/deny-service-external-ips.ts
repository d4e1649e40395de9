import { type KubernetesObject, member, memberTexts } from '@kubeadmit/apimachinery';
import type { AdmissionPlugin } from './plugin.ts';
import { forbid, isAbout } from './refusal.ts';

/** Refuses new external IPs of services. */
export const denyServiceExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  operations: ['CREATE', 'UPDATE'],
  validate: (request) => {
    const { object, oldObject } = request;
    if (object === null || !isAbout(request, 'services')) return undefined;
    const known = addressesOf(oldObject);
    if (addressesOf(object).every((address) => known.includes(address))) return undefined;
    return forbid(request, 'Use of external IPs is denied by admission control');
  },
};

function addressesOf(service: KubernetesObject | null): readonly string[] {
  return memberTexts(member(service, 'spec'), 'externalIPs');
}
