import { certificateData } from './certificates.ts';
import { type ManifestKind, of, ofCluster, withStatus } from './manifest-kind.ts';

const readyCondition = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

/** Kinds that people seldom write, with fields that kube-apiserver sets or drops. */
export const rareKinds: Readonly<Record<string, ManifestKind>> = {
  APIService: ofCluster('apiregistration.k8s.io/v1', 'apiservices', (random) => {
    const version = `v${1 + random.below(1_000_000)}`;
    return {
      metadata: { name: `${version}.metrics.example.org` },
      body: withStatus(
        random,
        {
          spec: {
            group: 'metrics.example.org',
            version,
            groupPriorityMinimum: 100,
            versionPriority: 10,
            insecureSkipTLSVerify: true,
            service: { name: 'a', namespace: 'default' },
          },
        },
        { conditions: [{ type: 'Available', status: 'False' }] },
      ),
    };
  }),
  CertificateSigningRequest: ofCluster(
    'certificates.k8s.io/v1',
    'certificatesigningrequests',
    (random) => ({
      body: withStatus(
        random,
        {
          spec: {
            request: certificateData.user,
            signerName: 'example.com/own',
            usages: ['client auth'],
            ...random.some({ expirationSeconds: [0.5, () => 3600], username: [0.3, () => 'eve'] }),
          },
        },
        { conditions: [{ type: 'Failed', status: 'True' }] },
      ),
    }),
  ),
  CSINode: ofCluster('storage.k8s.io/v1', 'csinodes', (random) => ({
    body: {
      spec: { drivers: random.chance(0.5) ? [] : [{ name: 'example.com', nodeID: 'n' }] },
    },
  })),
  CSIStorageCapacity: of('storage.k8s.io/v1', 'csistoragecapacities', (random) => ({
    body: { storageClassName: 'fast', ...random.some({ capacity: [0.6, () => '1Gi'] }) },
  })),
  VolumeAttachment: ofCluster('storage.k8s.io/v1', 'volumeattachments', (random) => ({
    body: withStatus(
      random,
      {
        spec: {
          attacher: 'example.com',
          nodeName: 'n',
          source: { persistentVolumeName: random.pick(['a', 'b']) },
        },
      },
      { attached: true },
    ),
  })),
  ServiceCIDR: ofCluster('networking.k8s.io/v1', 'servicecidrs', (random) => ({
    body: withStatus(
      random,
      { spec: { cidrs: [`10.${1 + random.below(200)}.0.0/24`] } },
      { conditions: [readyCondition] },
    ),
  })),
  IPAddress: ofCluster('networking.k8s.io/v1', 'ipaddresses', (random) => ({
    metadata: { name: `10.77.${random.below(250)}.${1 + random.below(250)}` },
    body: { spec: { parentRef: { resource: 'services', name: 'a', namespace: 'default' } } },
  })),
  ResourceClaim: of('resource.k8s.io/v1', 'resourceclaims', (random) => ({
    body: withStatus(
      random,
      {
        spec: {
          devices: {
            requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }],
          },
        },
      },
      { reservedFor: [{ resource: 'pods', name: 'a', uid: 'u' }] },
    ),
  })),
  ResourceSlice: ofCluster('resource.k8s.io/v1', 'resourceslices', (random) => ({
    body: {
      spec: {
        driver: 'example.com',
        nodeName: 'n',
        pool: { name: 'n', generation: 1, resourceSliceCount: 1 },
        ...random.some({ devices: [0.6, () => [{ name: 'd' }]] }),
      },
    },
  })),
  ValidatingWebhookConfiguration: ofCluster(
    'admissionregistration.k8s.io/v1',
    'validatingwebhookconfigurations',
    () => ({ body: { webhooks: [] } }),
  ),
  MutatingWebhookConfiguration: ofCluster(
    'admissionregistration.k8s.io/v1',
    'mutatingwebhookconfigurations',
    () => ({ body: {} }),
  ),
};
