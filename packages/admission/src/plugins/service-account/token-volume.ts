import { type KubernetesObject, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { isPlainObject } from '@kubeadmit/base';
import { withSpec } from '../with-spec.ts';

const prefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Mounts the token of the account in each container that mounts nothing at its path (`mountServiceAccountToken`).
 *
 * @param generateName makes the name of the volume
 */
export function withTokenVolume(
  pod: KubernetesObject,
  generateName: (base: string) => string,
): KubernetesObject {
  const spec = member(pod, 'spec');
  const volumes = memberList(spec, 'volumes');
  const known = volumes
    .map((volume) => memberText(volume, 'name'))
    .find((name) => name.startsWith(prefix));
  const name = known ?? generateName(prefix);
  const mount = { name, readOnly: true, mountPath };
  const changes: Record<string, unknown> = {};
  for (const field of ['initContainers', 'containers']) {
    const containers = memberList(spec, field);
    if (!containers.some(lacksToken)) continue;
    changes[field] = containers.map((container) => withMount(container, mount));
  }
  if (Object.keys(changes).length === 0) return pod;
  if (known === undefined) changes['volumes'] = [...volumes, { name, projected: tokenSource }];
  return withSpec(pod, changes);
}

function lacksToken(container: unknown): boolean {
  const mounts = memberList(container, 'volumeMounts');
  return !mounts.some((mount) => memberText(mount, 'mountPath') === mountPath);
}

function withMount(container: unknown, mount: object): unknown {
  if (!isPlainObject(container) || !lacksToken(container)) return container;
  return { ...container, volumeMounts: [...memberList(container, 'volumeMounts'), mount] };
}

/** The token, the certificate of the server and the namespace (`TokenVolumeSource`). */
const tokenSource = {
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [
          { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
        ],
      },
    },
  ],
  defaultMode: 420,
};
