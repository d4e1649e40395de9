import { stringifyJson } from '@kubeadmit/go';
import { expect, test } from 'vitest';
import { type Manifest, readManifests, Source } from '../src/index.ts';

const many = Array.from(
  { length: 300 },
  (_, index) => `- {apiVersion: v1, kind: Pod, metadata: {name: a${index}}, spec: {n: ${index}.0}}`,
);

const texts: Readonly<Record<string, string>> = {
  'documents of YAML': `# first
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: b}
spec: &spec {count: 1.0, big: 9007199254740993, on: true}
---
---
apiVersion: v1
kind: Pod
metadata: {generateName: c-}
spec: {<<: {x: 1}, text: "1"}
`,
  aliases: `apiVersion: v1
kind: ConfigMap
metadata: {name: a, labels: &labels {x: y}, annotations: *labels}
`,
  'a stream of JSON': `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"n":1.0,"m":1e3}}
{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"b"}},{"kind":"Pod","metadata":{"name":"c"}}]}`,
  'JSON before YAML': `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}
---
apiVersion: v1
kind: Pod
`,
  'lists in lists': `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: DeploymentList
  items: [{metadata: {name: a}}, {metadata: {name: b}}]
- {apiVersion: v1, kind: Pod, metadata: {name: c}}
`,
  'a large list': `apiVersion: v1\nkind: List\nitems:\n${many.join('\n')}\n`,
  'a mark of byte order': '\ufeffapiVersion: v1\nkind: Pod\nmetadata: {name: a}\n',
  'odd metadata': 'apiVersion: v1\nkind: Pod\nmetadata: [1]\n',
};

/** Everything that callers see of a manifest. */
function seen(manifest: Manifest): unknown {
  const { apiVersion, kind, name, namespace, title, line, file, object } = manifest;
  const text = stringifyJson(object, { isAsRead: true });
  return { apiVersion, kind, name, namespace, title, line, file, text, place: manifest.place([]) };
}

test.each(Object.entries(texts))('%s: what is let go of is read again as it was', (_, text) => {
  const { manifests } = readManifests(new Source('a.yaml', text));
  expect(manifests.length).toBeGreaterThan(0);
  const before = manifests.map(seen);
  const objects = manifests.map(({ object }) => object);
  for (const manifest of manifests) manifest.release();
  for (const [index, manifest] of manifests.entries()) {
    // The head is known without the object.
    expect(manifest.title).toBe((before[index] as { title: string }).title);
    expect(manifest.object).not.toBe(objects[index]);
  }
  expect(manifests.map(seen)).toEqual(before);
});

test('keys that are there twice are read again with the last value', () => {
  const text = 'apiVersion: v1\nkind: Pod\nspec: {a: 1, a: 2}\n';
  const source = new Source('a.yaml', text);
  const [manifest] = readManifests(source, { allowsDuplicates: true }).manifests;
  manifest?.release();
  expect(manifest?.object['spec']).toEqual({ a: 2 });
});
