import { checkTypes } from '@kubeadmit/engine';
import { readManifests, Source } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { checkMutations, findIssues } from '../src/index.ts';

// An object that is not a policy has no expressions, so no problem would be found.

const schemas = await loadSchemas();
const { manifests } = readManifests(
  new Source('a', 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}'),
);
const spec = { matchConstraints: {} };

test.each<[unknown, string]>([
  [undefined, 'undefined'],
  ['kind: Pod', 'the string "kind: Pod"'],
  [[{ spec }], 'a list'],
  [spec, 'an object without `spec`'],
  [{ object: { spec } }, 'an object without `spec`'],
  [{ kind: 'Pod', spec }, 'one of the kind Pod'],
  [Promise.resolve({ spec }), 'a Promise (await it)'],
])('policies are taken whole: %j', (given, found) => {
  expect(() => checkMutations(given as never, schemas)).toThrow(
    new TypeError(`checkMutations: expected a whole MutatingAdmissionPolicy, got ${found}`),
  );
  expect(() => checkTypes(given as never, schemas)).toThrow(
    new TypeError(`checkTypes: expected a whole ValidatingAdmissionPolicy, got ${found}`),
  );
});

test('schemas are required', () => {
  const problem = ': expected schemas from `await loadSchemas()`, got a Promise (await it)';
  const later = loadSchemas() as never;
  expect(() => checkMutations({ spec } as never, later)).toThrow(`checkMutations${problem}`);
  expect(() => checkTypes({ spec } as never, later)).toThrow(`checkTypes${problem}`);
});

const what =
  'findIssues: expected a list of manifests with their roles, as in `{ manifest, role: "any" }`';

test.each<[string, unknown, unknown, string]>([
  ['a text', 'x', { schemas }, `${what}, got the string "x"`],
  ['bare manifests', manifests, { schemas }, `${what}, and [0] is a bare manifest`],
  ['objects', [{ kind: 'Pod' }], { schemas }, `${what}, got one with an object in it`],
  ['no options', [], undefined, 'findIssues: expected options as an object, got undefined'],
  [
    'a slip',
    [],
    { schemas, setings: {} },
    'findIssues: unknown option `setings` (did you mean `settings`?)',
  ],
  [
    'promised schemas',
    [],
    { schemas: loadSchemas() },
    'findIssues: expected schemas from `await loadSchemas()`, got a Promise (await it)',
  ],
])('findIssues refuses %s', async (_name, given, options, message) => {
  await expect(findIssues(given as never, options as never)).rejects.toThrow(
    new TypeError(message),
  );
});
