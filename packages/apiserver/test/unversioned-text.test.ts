import { formatJson } from '@kubeadmit/go';
import { expect, test } from 'vitest';
import { formatUnversioned, versionedText } from '../src/encoding/unversioned-text.ts';
import { withRevision } from '../src/objects/metadata.ts';

const kind = 'ConfigMap';

test.each<[string, { readonly [name: string]: unknown }]>([
  ['names alone', { kind, metadata: { name: 'a', namespace: 'b' } }],
  [
    'all that stands before',
    { metadata: { name: 'a', generateName: 'a', namespace: 'b', uid: 'c' } },
  ],
  ['what stands behind', { metadata: { name: 'a', labels: { x: '<&>' } }, data: { y: '\ud800' } }],
  ['what is undefined', { kind, apiVersion: undefined, metadata: { name: 'a' }, spec: undefined }],
  ['members in another order', { spec: { a: [1, -0, 2n] }, metadata: { name: 'a' }, kind }],
  ['fields that are not known', { metadata: { name: 'a', uid: 'b', ['__proto__']: 'c', more: 1 } }],
  ['a text of a version', { metadata: { name: '"resourceVersion":"1"' } }],
])('an object with %s is written once', (_, object) => {
  const written = formatUnversioned(object);
  expect(written.text).toBe(formatJson(object));
  expect(versionedText(written, 7)).toBe(formatJson(withRevision(object, 7)));
});

test.each<[string, { readonly [name: string]: unknown }]>([
  ['nothing before it', { metadata: { labels: {} } }],
  ['fields in another order', { metadata: { labels: {}, name: 'a' } }],
  ['no metadata', { kind }],
])('there is no place for a version with %s', (_, object) => {
  const written = formatUnversioned(object);
  expect(written.text).toBe(formatJson(object));
  expect(versionedText(written, 7)).toBeUndefined();
});
