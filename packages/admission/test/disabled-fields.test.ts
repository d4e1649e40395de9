import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { describe, expect, test } from 'vitest';
import { dropDisabledFields } from '../src/disabled-fields/drop-disabled-fields.ts';

// Real answers to creations are in conformance/write/feature-gates.ndjson. These are the rules for existing objects, from
// the same functions of Kubernetes.

const image = { image: { reference: 'r' } };

function pod(spec: object, container: object = {}): KubernetesObject {
  return { kind: 'Pod', spec: { containers: [{ name: 'c', ...container }], ...spec } };
}

/** An update in a version in which the feature is off. */
interface Update {
  readonly name: string;
  readonly minor: number;
  readonly resource?: string;
  readonly isStatus?: boolean;
  readonly object: KubernetesObject;
  /** An existing object that does not use the feature. */
  readonly unused?: KubernetesObject;
  /** An existing object that uses it; absent if the server drops the fields whatever the object has. */
  readonly used?: KubernetesObject;
  readonly dropped: KubernetesObject;
}

const updates: readonly Update[] = [
  {
    name: 'a field of a pod',
    minor: 32,
    object: pod({ hostUsers: true }),
    used: pod({ hostUsers: false }),
    dropped: pod({}),
  },
  {
    name: 'claims of containers, where the pod has claims',
    minor: 33,
    object: pod({ resourceClaims: [{}] }, { resources: { claims: [{}] } }),
    used: pod({ resourceClaims: [{}] }),
    unused: pod({}, { resources: { claims: [{}] } }),
    dropped: pod({}, { resources: {} }),
  },
  {
    name: 'a proc mount, which is set to its default',
    minor: 32,
    object: pod({}, { securityContext: { procMount: 'Unmasked' } }),
    used: pod({}, { securityContext: { procMount: 'Unmasked' } }),
    unused: pod({}, { securityContext: { procMount: 'Default' } }),
    dropped: pod({}, { securityContext: { procMount: 'Default' } }),
  },
  {
    name: 'a stop signal',
    minor: 37,
    object: pod({}, { lifecycle: { stopSignal: 'SIGHUP' } }),
    used: pod({}, { lifecycle: { stopSignal: 'SIGTERM' } }),
    unused: pod({}, { lifecycle: { preStop: {} } }),
    dropped: pod({}),
  },
  {
    name: 'restart policies of containers other than sidecars',
    minor: 34,
    object: pod(
      {
        initContainers: [
          { name: 's', restartPolicy: 'Always' },
          { name: 'i', restartPolicy: 'Never' },
        ],
      },
      { restartPolicy: 'Never', restartPolicyRules: [{}] },
    ),
    used: pod({}, { restartPolicy: 'Never' }),
    unused: pod({ initContainers: [{ name: 's', restartPolicy: 'Always' }] }),
    dropped: pod({
      initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'i' }],
    }),
  },
  {
    name: 'volumes of images with their mounts',
    minor: 34,
    object: pod(
      { volumes: [{ name: 'v', ...image }, { name: 'w' }] },
      { volumeMounts: [{ name: 'v' }, { name: 'w' }] },
    ),
    used: pod({ volumes: [{ name: 'v', ...image }] }),
    dropped: pod({ volumes: [{ name: 'w' }] }, { volumeMounts: [{ name: 'w' }] }),
  },
  {
    name: 'an attribute class of a volume, which Kubernetes 1.30 keeps',
    minor: 31,
    resource: 'persistentvolumes',
    object: { spec: { volumeAttributesClassName: 'a' } },
    used: { spec: { volumeAttributesClassName: 'b' } },
    dropped: { spec: {} },
  },
  {
    name: 'values of maps',
    minor: 35,
    resource: 'resourceslices.resource.k8s.io',
    object: { spec: { devices: [{ capacity: { memory: { value: '1', requestPolicy: {} } } }] } },
    used: { spec: { devices: [{ allowMultipleAllocations: true }] } },
    dropped: { spec: { devices: [{ capacity: { memory: { value: '1' } } }] } },
  },
  {
    name: 'the status of a claim, each field for itself',
    minor: 33,
    resource: 'persistentvolumeclaims',
    isStatus: true,
    object: { status: { phase: 'Bound', modifyVolumeStatus: {} } },
    used: { status: { modifyVolumeStatus: {} } },
    unused: { status: { currentVolumeAttributesClassName: 'a' } },
    dropped: { status: { phase: 'Bound' } },
  },
  {
    name: 'the generation that a kubelet observed',
    minor: 33,
    isStatus: true,
    object: { status: { observedGeneration: 2, conditions: [{ observedGeneration: 2 }] } },
    used: { status: { conditions: [{ observedGeneration: 1 }] } },
    dropped: { status: { conditions: [{}] } },
  },
  {
    name: 'runtime handlers of a node, whatever it had',
    minor: 30,
    resource: 'nodes',
    object: { spec: {}, status: { runtimeHandlers: [{}] } },
    unused: { status: { runtimeHandlers: [{}] } },
    dropped: { spec: {}, status: {} },
  },
];

describe.each(updates)('$name', (update) => {
  const { minor, resource = 'pods', isStatus = false, object, used, unused = {}, dropped } = update;
  const changed = (old: KubernetesObject) =>
    dropDisabledFields(object, { resource, isStatus, old, minor });

  test('is dropped from an update of an object without it', () => {
    expect(changed(unused)).toEqual(dropped);
  });

  test.skipIf(used === undefined)('is kept in an update of an object with it', () => {
    expect(changed(used as KubernetesObject)).toBe(object);
  });
});

test('a pod that uses no feature stays the same object', () => {
  const object = pod({ volumes: [{ name: 'v', emptyDir: {} }] });
  const write = { resource: 'pods', isStatus: false, old: undefined, minor: 30 };
  expect(dropDisabledFields(object, write)).toBe(object);
});

test.each([
  [
    30,
    'a volume with attributes',
    'persistentvolumes',
    { spec: { volumeAttributesClassName: 'a' } },
  ],
  [33, 'a restart policy, which validation refuses', 'pods', pod({}, { restartPolicy: 'Never' })],
  [37, 'a job that updates give to another manager', 'jobs.batch', { spec: { managedBy: 'a' } }],
])('Kubernetes 1.%d keeps %s', (minor, _, resource, object) => {
  const write = { resource, isStatus: false, old: undefined, minor };
  expect(dropDisabledFields(object, write)).toBe(object);
});

test('an update of the status of a pod drops nothing before Kubernetes 1.33', () => {
  const object = { status: { containerStatuses: [{ user: {} }] } };
  const write = { resource: 'pods', isStatus: true, old: {}, minor: 32 };
  expect(dropDisabledFields(object, write)).toBe(object);
});

test('a creation drops the manager of a job in Kubernetes 1.31, an update keeps it', () => {
  const object = { spec: { managedBy: 'a' } };
  const write = { resource: 'jobs.batch', isStatus: false, minor: 31 };
  expect(dropDisabledFields(object, { ...write, old: undefined })).toEqual({ spec: {} });
  expect(dropDisabledFields(object, { ...write, old: { spec: {} } })).toBe(object);
});
