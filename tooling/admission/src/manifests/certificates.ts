import { readFileSync } from 'node:fs';

/** Certificate requests for several subjects, in base64, and a certificate authority. */
export const certificateData = JSON.parse(
  readFileSync(new URL('../../data/certificate-requests.json', import.meta.url), 'utf8'),
) as Readonly<Record<'masters' | 'user' | 'kubelet' | 'serving' | 'authority', string>>;

type Request = Exclude<keyof typeof certificateData, 'authority'>;

/** Valid requests: the subject, the signer and the usages. */
export const certificates: readonly (readonly [Request, string, readonly string[]])[] = [
  ['masters', 'kubernetes.io/kube-apiserver-client', ['client auth']],
  ['user', 'kubernetes.io/kube-apiserver-client', ['client auth', 'digital signature']],
  ['kubelet', 'kubernetes.io/kube-apiserver-client-kubelet', ['client auth', 'digital signature']],
  ['serving', 'kubernetes.io/kubelet-serving', ['server auth', 'digital signature']],
  ['masters', 'example.com/signer', ['client auth']],
];
