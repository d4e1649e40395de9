import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ApiClient } from '../http/api-client.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf } from '../objects/metadata.ts';

const certificateName = 'kube-root-ca.crt';

/**
 * Creates the `ServiceAccount default` of a namespace, and the ConfigMap with the certificate of the server
 * (controllers `serviceaccount`, `root-ca-cert-publisher`).
 */
export async function reconcileNamespaceDefaults(
  machinery: Machinery,
  client: ApiClient,
  namespace: KubernetesObject,
): Promise<undefined> {
  if (metadataOf(namespace).deletionTimestamp) return;
  const path = `/api/v1/namespaces/${nameOf(namespace)}`;
  await client.ask({
    method: 'POST',
    path: `${path}/serviceaccounts`,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  });
  const certificate = machinery.options.tokens?.certificateAuthority;
  if (certificate === undefined) return;
  const annotations = {
    'kubernetes.io/description':
      'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
  };
  await client.ask({
    method: 'POST',
    path: `${path}/configmaps`,
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: certificateName, annotations },
      data: { 'ca.crt': certificate },
    },
  });
}
