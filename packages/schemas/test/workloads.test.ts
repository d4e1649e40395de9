import { loadSchemas } from '@kubeadmit/schemas';
import { type Shape, type StructType, structNamed } from '@kubeadmit/schemas/types';
import {
  programTypes,
  readStruct,
  readWorkload,
  type WorkloadStruct,
} from '@kubeadmit/schemas/workloads';
import { describe, expect, test } from 'vitest';

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

test('workloads only use structs of four packages', async () => {
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

describe('the structs of a program', () => {
  const lines = [
    'Thing {"fields":[["metadata","meta.v1.ObjectMeta"],["name","string"],["parts","*own:[]a.v1.Part|a.v1.Parts,omitempty",{"go":"*v1.Both","refusal":"no parts"}],["only","own:[]a.v1.Part"]]}',
    'Part {"fields":[["size","int32"],["only","own:[]a.v1.Part"]]}',
    'Parts {"fields":[["all","[]a.v1.Part"]]}',
  ];
  const types = programTypes(36, { 'a.v1': lines.join('\n') });
  const thing = types.get('a.v1.Thing') as StructType;

  test.each<[string, object, object]>([
    [
      'names in any letters, and the fields of the type alone',
      { NAME: 'a', other: 1, parts: [{ Size: 1, x: 2 }, null] },
      { object: { name: 'a', parts: [{ size: 1 }, {}] } },
    ],
    [
      'the form that a value has',
      { parts: { all: [{ size: 1 }] } },
      { object: { parts: { all: [{ size: 1 }] } } },
    ],
    [
      'the words of a type for what has none of its forms',
      { parts: { all: [{ size: 'x' }] }, name: 5 },
      { error: 'no parts', errorPlace: ['parts', 'all', 0, 'size'] },
    ],
    [
      'the outer struct in what is wrong in what a type reads itself, which ends the reading',
      { only: [{ Only: [{ size: 'x' }] }], name: 5 },
      {
        error:
          'json: cannot unmarshal string into Go struct field Thing.only.only.size of type int32',
        errorPlace: ['only', 0, 'Only', 0, 'size'],
      },
    ],
    [
      'the first of the other errors',
      { name: 5, metadata: 5 },
      {
        error: 'json: cannot unmarshal number into Go struct field Thing.name of type string',
        errorPlace: ['name'],
      },
    ],
  ])('readStruct gives %s', (_, value, expected) => {
    expect(readStruct(types, thing, value)).toMatchObject(expected);
  });
});
