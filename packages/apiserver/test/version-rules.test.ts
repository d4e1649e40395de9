import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { createWriteServer, type WriteRequest } from '../src/index.ts';

// Rules that depend on feature gates, with the first version of their gate (pkg/features/kube_features.go).

const resources = { requests: { cpu: '100m' } };

function podOf(spec: object, status: object = {}): KubernetesObject {
  const metadata = { name: 'a', namespace: 'default' };
  const containers = [{ name: 'c', image: 'i' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers, ...spec }, status };
}

function claimOf(storage: string, className?: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'a', namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
      ...(className === undefined ? {} : { volumeAttributesClassName: className }),
    },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  };
}

/** An object that a server returned. It has fields that this version would drop from a new object. */
function stored(object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: { name: 'a', namespace: 'default', uid: 'u' } };
}

function patchOf(resource: string, oldObject: KubernetesObject, patch: object): WriteRequest {
  const [name = '', subresource = ''] = resource.split('/');
  return {
    verb: 'patch',
    resource: { group: '', version: 'v1', resource: name },
    ...(subresource === '' ? {} : { subresource }),
    namespace: 'default',
    name: 'a',
    patchType: 'strategic',
    patch,
    oldObject,
  };
}

const requested = (cpu: string) => ({ resources: { requests: { cpu } } });

const rules: readonly {
  readonly name: string;
  readonly request: WriteRequest;
  readonly versions: Readonly<Record<string, string | undefined>>;
}[] = [
  {
    name: 'the CPU of an init container',
    request: patchOf(
      'pods/resize',
      podOf({ initContainers: [{ name: 'i', image: 'i', resources }] }),
      {
        spec: { initContainers: [{ name: 'i', ...requested('200m') }] },
      },
    ),
    versions: {
      '1.35': 'spec: Forbidden: resources for non-sidecar init containers are immutable',
      '1.36': undefined,
    },
  },
  {
    name: 'the CPU of a pod with resources of its own',
    request: patchOf('pods/resize', podOf({ resources }), { spec: requested('200m') }),
    versions: {
      '1.35':
        'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
      '1.36': undefined,
    },
  },
  {
    name: 'a smaller claim that is larger than its volume',
    request: patchOf('persistentvolumeclaims', claimOf('3Gi'), {
      spec: { resources: { requests: { storage: '2Gi' } } },
    }),
    versions: { '1.31': 'field can not be less than previous value', '1.32': undefined },
  },
  {
    name: 'another class of attributes',
    request: patchOf('persistentvolumeclaims', stored(claimOf('3Gi', 'a')), {
      spec: { volumeAttributesClassName: 'b' },
    }),
    versions: {
      '1.33': 'update is forbidden when the VolumeAttributesClass feature gate is disabled',
      '1.34': undefined,
    },
  },
  {
    name: 'another nominated node of a pod that has a node',
    request: patchOf('pods/status', podOf({ nodeName: 'n' }, { qosClass: 'BestEffort' }), {
      status: { nominatedNodeName: 'other' },
    }),
    versions: {
      '1.34': undefined,
      '1.35':
        'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    },
  },
];

const cases = rules.flatMap(({ name, request, versions }) =>
  Object.entries(versions).map(([version, message]) => ({ name, request, version, message })),
);

test.each(cases)('$name in version $version', async ({ request, version, message }) => {
  const server = await createWriteServer({
    resources: [],
    schemas: await loadSchemas({ version }),
    kubernetesVersion: version,
    now: () => Date.parse('2026-01-02T03:04:05Z'),
    randomUid: () => crypto.randomUUID(),
  });
  const { code, status } = await server.answer(request);
  if (message === undefined) expect({ code, status }).toEqual({ code: 200, status: undefined });
  else expect(status?.message).toContain(message);
  server.close();
});
