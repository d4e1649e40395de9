import type { Random } from '@kubeadmit/random';
import { certificateData, certificates } from '../manifests/certificates.ts';
import type { Fields } from './pods.ts';
import { securityLabels } from './world.ts';
import { creation, type Requests } from './write-request.ts';

/** Requests that create objects outside namespaces. */
export const clusterRequests: Requests = [
  [
    4,
    ({ random, number }) =>
      creation(undefined, 'v1', 'namespaces', 'Namespace', {
        metadata: { name: `made-${number}`, labels: namespaceLabels(random) },
      }),
  ],
  [
    3,
    ({ random, number }) => {
      const [request, signerName, usages] = random.pick(certificates);
      return creation(
        undefined,
        'certificates.k8s.io/v1',
        'certificatesigningrequests',
        'CertificateSigningRequest',
        {
          metadata: { name: `csr-${number}` },
          spec: { request: certificateData[request], signerName, usages },
        },
      );
    },
  ],
  [
    2,
    ({ random, number }) => {
      const signerName = random.pick([undefined, 'example.com/signer']);
      const prefix = signerName === undefined ? '' : 'example.com:signer:';
      return creation(
        undefined,
        'certificates.k8s.io/v1',
        'clustertrustbundles',
        'ClusterTrustBundle',
        {
          metadata: { name: `${prefix}bundle-${number}` },
          spec: { trustBundle: certificateData.authority, ...(signerName && { signerName }) },
        },
      );
    },
  ],
  [
    2,
    ({ random, number }) =>
      creation(undefined, 'v1', 'nodes', 'Node', {
        metadata: { name: `node-${number}` },
        ...random.some({
          spec: [
            0.5,
            () =>
              random.some({
                unschedulable: [0.5, () => true],
                taints: [0.4, () => [{ key: 'a', effect: 'NoSchedule' }]],
              }),
          ],
        }),
      }),
  ],
  [
    2,
    ({ random, number }) =>
      creation(undefined, 'v1', 'persistentvolumes', 'PersistentVolume', {
        metadata: {
          name: `pv-${number}`,
          ...random.some({ finalizers: [0.2, () => ['example.com/hold']] }),
        },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/tmp/a' },
          ...random.some({ storageClassName: [0.3, () => 'fast'] }),
        },
      }),
  ],
  [
    2,
    ({ random, number }) =>
      creation(undefined, 'scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', {
        metadata: { name: random.chance(0.1) ? 'high' : `class-${number}` },
        value: random.below(1000),
        ...random.some({
          globalDefault: [0.4, () => true],
          preemptionPolicy: [0.3, () => 'Never'],
        }),
      }),
  ],
  [
    1,
    ({ random, number }) =>
      creation(undefined, 'storage.k8s.io/v1', 'storageclasses', 'StorageClass', {
        metadata: { name: `class-${number}` },
        provisioner: 'example.com/disk',
        ...random.some({ allowVolumeExpansion: [0.5, () => true] }),
      }),
  ],
  [
    1,
    ({ number }) =>
      creation(undefined, 'node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', {
        metadata: { name: `runtime-${number}` },
        handler: 'runsc',
        overhead: { podFixed: { cpu: '100m' } },
      }),
  ],
  [
    1,
    ({ number }) =>
      creation(undefined, 'networking.k8s.io/v1', 'ingressclasses', 'IngressClass', {
        metadata: { name: `ingress-class-${number}` },
        spec: { controller: 'example.com/ingress' },
      }),
  ],
];

function namespaceLabels(random: Random): Fields {
  const isWrong = random.chance(0.2);
  return {
    ...securityLabels(random),
    ...(isWrong && {
      [`pod-security.kubernetes.io/${random.pick(['enforce', 'warn', 'audit'])}${random.pick(['', '-version'])}`]:
        'wrong',
    }),
  };
}
