import { expect, test } from 'vitest';
import { createLanguageService } from '../src/index.ts';
import { exampleComment } from '../src/values/examples-of.ts';

test.each([
  ['# kubeadmit: example pod.yaml', ['pod.yaml']],
  [
    '\n\t#kubeadmit:  example a.yaml \r\nkind: Pod\n# kubeadmit: example b.yaml',
    ['a.yaml', 'b.yaml'],
  ],
  ['#\nkubeadmit: example a.yaml', []],
])('the comments of %j name %j', (text, names) => {
  expect([...text.matchAll(exampleComment)].map(([, name]) => name)).toEqual(names);
});

const rule = (message: string, more = '') => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: a}
spec:
  rules:
  - name: r
    match: {any: [{resources: {kinds: [Pod]}}]}
    context: [{name: x, variable: {value: 1}}]
    validate:
      message: ${message}
      deny: {}
${more}`;

// A stranger wrote them, and an editor opens them: with the square of their length each takes minutes or hours.
test.each([
  ['empty lines', rule('m', '\n'.repeat(400_000))],
  ['templates without an end', rule(`'${'{{'.repeat(200_000)}'`)],
  ['names in one template', rule(`'{{ ${'x '.repeat(100_000)}}}'`)],
  ['quotes without an end in a template', rule(`'{{ "${'\\\\"'.repeat(100_000)} }}'`)],
])('a document with many %s is read in time', async (_name, text) => {
  const service = await createLanguageService();
  service.setDocument('file:///a.yaml', text);
  const at = text.indexOf('name: x') + 'name: x'.length - 1;
  const place = { line: text.slice(0, at).split('\n').length - 1, character: 0 };
  expect(place.line).toBeGreaterThan(0);
  await service.diagnostics();
  expect(await service.definition('file:///a.yaml', place)).toBeDefined();
});
