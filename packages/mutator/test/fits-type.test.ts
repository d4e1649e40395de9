import { kindOfObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { mergeType } from '@kubeadmit/schemas/merge';
import { hasGoForm } from '@kubeadmit/schemas/unstable-internal';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { fitsType } from '../src/apply/fits-type.ts';
import type { PatchObject, PatchValue } from '../src/apply/patch-value.ts';
import { validateValue } from '../src/apply/validate-value.ts';

const schemas = await loadSchemas();

/** The objects of every kind that kube-apiserver decoded in recorded cases. */
function decodedObjects(): PatchObject[] {
  return ['kinds', 'random', 'edges', 'lists'].flatMap((file) => {
    const path = new URL(`../../../conformance/decode/${file}.ndjson`, import.meta.url);
    return readLines<{ objects?: PatchObject[]; kubernetesVersion?: string }>(path)
      .filter(({ kubernetesVersion }) => kubernetesVersion === undefined)
      .flatMap(({ objects = [] }) => objects.filter((object) => object !== null));
  });
}

test('decoded objects are found valid by looking at doubtful places only', () => {
  let invalid = 0;
  for (const object of decodedObjects()) {
    const kind = kindOfObject(object);
    const type = kind && mergeType(schemas, kind);
    if (kind === undefined || type === undefined) continue;
    const expected = validateValue(object, type, { allowDuplicates: true }).length === 0;
    if (hasGoForm(schemas, kind)) {
      expect({ object, fits: fitsType(object, type, true) }).toEqual({ object, fits: expected });
    }
    expect({ object, fits: fitsType(object, type, false) }).toEqual({ object, fits: expected });
    if (!expected) invalid++;
  }
  expect(invalid).toBeGreaterThan(0);
});

const deployment = mergeType(schemas, { group: 'apps', version: 'v1', kind: 'Deployment' });

test.each<[string, PatchValue, boolean]>([
  ['no object', 'x', false],
  ['null', null, true],
  ['a field that is not declared', { spec: { x: 1 } }, false],
  ['a text for a number', { spec: { replicas: '1' } }, false],
  ['a number for a text', { metadata: { name: 1 } }, false],
  ['a list for a map', { metadata: { labels: [] } }, false],
  ['a map for a list', { metadata: { finalizers: {} } }, false],
  ['a null in a set', { metadata: { finalizers: [null] } }, false],
  ['a text in a keyed list', { status: { conditions: ['x'] } }, false],
  ['an element with its key', { status: { conditions: [{ type: 'Ready' }] } }, true],
  ['equal elements', { metadata: { finalizers: ['a', 'a'] } }, true],
])('%s', (_, value, expected) => {
  if (deployment === undefined) throw new Error('no type');
  expect(fitsType(value, deployment, false)).toBe(expected);
  const errors = validateValue(value, deployment, { allowDuplicates: true });
  expect(errors.length === 0).toBe(expected);
});
