import type { SignatureCheck } from '@kubeadmit/kyverno';

/** A check without requirements that ignores transparency logs. */
export function anyCheck(image: string): SignatureCheck {
  return {
    image,
    type: 'Cosign',
    key: '',
    signatureAlgorithm: '',
    certificate: '',
    certificateChain: '',
    roots: '',
    subject: '',
    subjectRegExp: '',
    issuer: '',
    issuerRegExp: '',
    additionalExtensions: {},
    annotations: {},
    repository: '',
    usesReferrers: false,
    ignoresLog: true,
    logKey: '',
    ignoresTimestamp: true,
    timestampKey: '',
    timestampChain: '',
    predicateType: '',
  };
}
