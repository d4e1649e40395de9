import { member, memberText } from '@kubeadmit/apimachinery';
import type { AdmissionPlugin } from '../plugin.ts';
import { forbid, isAbout } from '../refusal.ts';
import { subjectOrganizations } from './certificate-subject.ts';

const signer = 'kubernetes.io/kube-apiserver-client';

/** Refuses requests for client certificates of the group system:masters. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate: (request) => {
    const { object } = request;
    if (!isAbout(request, 'certificatesigningrequests', 'certificates.k8s.io')) return undefined;
    const spec = member(object, 'spec');
    if (memberText(spec, 'signerName') !== signer) return undefined;
    if (!subjectOrganizations(memberText(spec, 'request')).includes('system:masters'))
      return undefined;
    return forbid(request, `use of ${signer} signer with system:masters group is not allowed`);
  },
};
