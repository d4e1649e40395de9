import { expect, test } from 'vitest';
import {
  convertVersion,
  decode,
  definitionIssues,
  equivalentResources,
  findKind,
  findResource,
  findResourceOfKind,
  isNamespaced,
  listResources,
  loadSchemas,
  preferredVersion,
  resolveName,
  withDefinitions,
} from '../src/index.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const pod = { group: '', version: 'v1', kind: 'Pod' };
const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };

const calls: Readonly<Record<string, (schemas: never) => unknown>> = {
  listResources: (schemas) => listResources(schemas),
  findResource: (schemas) => findResource(schemas, pods),
  findResourceOfKind: (schemas) => findResourceOfKind(schemas, pod),
  equivalentResources: (schemas) => equivalentResources(schemas, pods),
  preferredVersion: (schemas) => preferredVersion(schemas, 'apps'),
  resolveName: (schemas) => resolveName(schemas, 'po'),
  decode: (schemas) => decode(schemas, object),
  withDefinitions: (schemas) => withDefinitions(schemas, []),
  definitionIssues: (schemas) => definitionIssues(schemas),
  convertVersion: (schemas) => convertVersion(schemas, object, pod),
};

// A missing `await` would otherwise give neither an object nor an error, as for an unknown kind.
test.each(Object.entries(calls))('%s takes schemas', (name, call) => {
  const problem = (what: string) =>
    new TypeError(`${name}: expected schemas from \`await loadSchemas()\`, got ${what}`);
  expect(() => call(undefined as never)).toThrow(problem('undefined'));
  expect(() => call(null as never)).toThrow(problem('null'));
  expect(() => call(loadSchemas() as never)).toThrow(problem('a Promise (await it)'));
  expect(() => call({} as never)).toThrow(problem('an object'));
});

test('names the called function in errors of nested calls', () => {
  for (const call of [() => findKind({} as never, pods), () => isNamespaced({} as never, pod)]) {
    expect(call).toThrow(TypeError);
  }
});

test.each<[string, unknown, string]>([
  [
    'the name that other functions have',
    { kubernetesVersion: '1.30' },
    'loadSchemas: unknown option `kubernetesVersion` (expected one of version, groupVersions)',
  ],
  [
    'a version that is a number',
    { version: 1.3 },
    'loadSchemas: `version` must be a string, got the number 1.3',
  ],
  [
    'one group',
    { groupVersions: 'apps/v1' },
    'loadSchemas: `groupVersions` must be a list, got the string "apps/v1"',
  ],
])('loadSchemas refuses %s', async (_name, options, message) => {
  await expect(loadSchemas(options as never)).rejects.toThrow(new TypeError(message));
});

test('lists and names are required', async () => {
  const schemas = await loadSchemas({ groupVersions: ['v1'] });
  expect(() => withDefinitions(schemas, object as never)).toThrow(
    new TypeError('withDefinitions: expected a list of objects, got an object'),
  );
  expect(() => resolveName(schemas, pods as never)).toThrow(
    new TypeError('resolveName: expected a name, got an object'),
  );
});
