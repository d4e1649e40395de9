import type { CertificatePair } from '@kubeadmit/certificates';
import { stringifyYaml } from '@kubeadmit/manifest';

/** The text of a kubeconfig whose only user is an administrator. */
export function kubeconfigText(cluster: {
  readonly url: string;
  /** CA certificates of the server's certificate, in PEM. */
  readonly authority: string;
  readonly administrator: CertificatePair;
}): string {
  const { url, authority, administrator } = cluster;
  return stringifyYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'kubeadmit',
        cluster: { server: url, 'certificate-authority-data': base64(authority) },
      },
    ],
    users: [
      {
        name: 'kubernetes-admin',
        user: {
          'client-certificate-data': base64(administrator.certificate),
          'client-key-data': base64(administrator.key),
        },
      },
    ],
    contexts: [{ name: 'kubeadmit', context: { cluster: 'kubeadmit', user: 'kubernetes-admin' } }],
    'current-context': 'kubeadmit',
    preferences: {},
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
