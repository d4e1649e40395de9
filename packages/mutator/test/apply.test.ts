import { loadSchemas } from '@kubeadmit/schemas';
import { mergeType } from '@kubeadmit/schemas/merge';
import { expect, test } from 'vitest';
import { applyConfiguration } from '../src/apply/apply-configuration.ts';
import type { PatchObject, PatchValue } from '../src/apply/patch-value.ts';

const type = mergeType(await loadSchemas(), { group: '', version: 'v1', kind: 'Pod' });

function pod(spec: PatchValue, metadata: PatchValue = {}): PatchObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

function apply(patch: PatchObject, object: PatchObject): unknown {
  const result = applyConfiguration({ patch, object, type, kind: '/v1, Kind=Pod' });
  if (result.outcome === 'patched') return result.object;
  return result.message.replace('error applying patch: ', '');
}

const live = pod({
  containers: [
    { name: 'web', image: 'web:1', args: ['-v'], env: [{ name: 'A', value: '1' }] },
    { name: 'log', image: 'log:1' },
  ],
  nodeSelector: { disk: 'ssd' },
});

test.each<[string, PatchValue, PatchValue]>([
  ['a field is set', { hostNetwork: true }, { hostNetwork: true }],
  [
    'a container is found by its name',
    { containers: [{ name: 'log', image: 'log:2' }] },
    {
      containers: [
        { name: 'web', image: 'web:1', args: ['-v'], env: [{ name: 'A', value: '1' }] },
        { name: 'log', image: 'log:2' },
      ],
    },
  ],
  [
    'a new container comes last, where nothing says otherwise',
    { containers: [{ name: 'new' }] },
    {
      containers: [
        { name: 'web', image: 'web:1', args: ['-v'], env: [{ name: 'A', value: '1' }] },
        { name: 'log', image: 'log:1' },
        { name: 'new' },
      ],
    },
  ],
  [
    'lists in elements merge, too',
    { containers: [{ name: 'web', env: [{ name: 'B', value: '2' }] }] },
    {
      containers: [
        {
          name: 'web',
          image: 'web:1',
          args: ['-v'],
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        },
        { name: 'log', image: 'log:1' },
      ],
    },
  ],
])('%s', (_name, patch, changed) => {
  const before = structuredClone(live);
  const { spec } = live as { spec: object };
  expect(apply(pod(patch), live)).toEqual({ ...live, spec: { ...spec, ...(changed as object) } });
  expect(live).toEqual(before);
});

test.each<[PatchValue, string]>([
  [
    { colour: 'red' },
    'failed to convert patch object to typed object: .spec.colour: field not declared in schema',
  ],
  [
    { hostNetwork: 'yes' },
    'failed to convert patch object to typed object: .spec.hostNetwork: expected boolean, got &{yes}',
  ],
  [
    { containers: [{ name: 'web', args: ['-q'] }] },
    'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].args',
  ],
  [
    { nodeSelector: { disk: 'hdd' } },
    'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.nodeSelector',
  ],
])('%j is refused', (patch, message) => {
  expect(apply(pod(patch), live)).toBe(message);
});

test('a kind without a schema cannot be merged', () => {
  const kind = 'ex.com/v1, Kind=Gadget';
  const result = applyConfiguration({ patch: {}, object: {}, type: undefined, kind });
  expect(result).toEqual({
    outcome: 'error',
    message:
      'error applying patch: failed to convert patch object to typed object: no corresponding type for ex.com/v1, Kind=Gadget',
  });
});
