import { loadSchemas } from '@kubeadmit/schemas';
import { type Shape, structNamed } from '@kubeadmit/schemas/internal';
import { readWorkload, type WorkloadStruct } from '@kubeadmit/schemas/workloads';
import { expect, test } from 'vitest';

const cases: readonly (readonly [
  what: string,
  struct: WorkloadStruct,
  spec: unknown,
  expected: object,
])[] = [
  [
    'fields and zero values',
    'core.v1.Pod',
    { containers: [{ name: 'a' }, null], none: 1, priority: null },
    { object: { containers: [{ name: 'a' }, {}] } },
  ],
  [
    'names in any letters, those of users as they are',
    'core.v1.Pod',
    { HostNetwork: true, nodeselector: { Zone: 'a' }, Containers: [{ Name: 'a' }] },
    { object: { containers: [{ name: 'a' }], hostNetwork: true, nodeSelector: { Zone: 'a' } } },
  ],
  [
    'the first wrong value in sorted order',
    'core.v1.Pod',
    { priority: 'high', hostPID: 1 },
    {
      error: 'json: cannot unmarshal number into Go struct field PodSpec.spec.hostPID of type bool',
    },
  ],
  [
    'structs that others are made of',
    'core.v1.Pod',
    { volumes: [{ emptyDir: 'x' }] },
    {
      error:
        'json: cannot unmarshal string into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
    },
  ],
  [
    'integers as bigints',
    'apps.v1.Deployment',
    { replicas: 2n, strategy: { rollingUpdate: { maxSurge: 1n } } },
    { object: { replicas: 2n, strategy: { rollingUpdate: { maxSurge: 1 } } } },
  ],
  [
    'jobs in cron jobs',
    'batch.v1.CronJob',
    { jobTemplate: { spec: { template: { spec: { containers: {} } } } } },
    {
      error:
        'json: cannot unmarshal object into Go struct field PodSpec.spec.jobTemplate.spec.template.spec.containers of type []v1.Container',
    },
  ],
];

test.each(cases)('readWorkload gives %s', (_, struct, spec, expected) => {
  const { object, error } = readWorkload(36, struct, { metadata: { name: 'a' }, spec });
  expect(error === undefined ? { object: object?.['spec'] } : { error }).toEqual(expected);
});

test('workloads are made of structs of four packages alone', async () => {
  const schemas = await loadSchemas({ version: '1.36' });
  const reached = new Set(['core.v1.Pod', 'apps.v1.Deployment', 'batch.v1.CronJob']);
  const reach = ({ struct, element }: Shape): void => {
    if (struct !== undefined) reached.add(struct);
    if (element !== undefined) reach(element);
  };
  for (const name of reached)
    for (const { shape } of structNamed(schemas, name)?.fields ?? []) reach(shape);
  const packages = new Set([...reached].map((name) => name.slice(0, name.lastIndexOf('.'))));
  expect([...packages].sort()).toEqual(['apps.v1', 'batch.v1', 'core.v1', 'meta.v1']);
  expect(reached.size).toBeGreaterThan(100);
});
