import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { admit, loadCluster, prepareCluster } from '../src/index.ts';
import { policyRefusal } from '../src/internal.ts';
import { definitionOf } from './examples.ts';

// Tools that only some clusters need are loaded for those only; results must not differ.

const schemas = await loadSchemas();

function policy(expression: string): { readonly apiVersion: string; readonly kind: string } {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'replicas' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['*'] },
        ],
      },
      validations: [{ expression }],
    },
  } as never;
}

const definition = definitionOf('Book', {
  type: 'object',
  properties: { pages: { type: 'integer' } },
});

const request = {
  uid: '1',
  kind: { group: 'example.com', version: 'v1', kind: 'Book' },
  resource: { group: 'example.com', version: 'v1', resource: 'books' },
  name: 'a',
  namespace: 'default',
  operation: 'CREATE',
  userInfo: { username: 'ada' },
  object: {
    apiVersion: 'example.com/v1',
    kind: 'Book',
    metadata: { name: 'a', namespace: 'default' },
    spec: { pages: 'many' },
  },
} as const;

test('an expression that does not parse is refused in the same words', async () => {
  const resources = [policy('object.spec.replicas <= (5')];
  const [prepared] = (await prepareCluster({ resources, onErrors: 'report' })).errors;
  expect(prepared).toEqual(loadCluster({ resources, schemas, onErrors: 'report' }).errors[0]);
  expect(prepared?.message).toContain("Syntax error: missing ')' at '<EOF>'");
  await expect(prepareCluster({ resources })).rejects.toThrow('Syntax error');
});

test('also after a cluster that was prepared without, and of a policy that comes later', async () => {
  const previous = await prepareCluster({ resources: [policy('true')] });
  const broken = policy('object.spec.replicas <= (5');
  expect(policyRefusal(previous, broken)?.message).toContain("missing ')' at '<EOF>'");
  const [problem] = loadCluster({
    resources: [broken],
    schemas: previous.schemas,
    previous,
    onErrors: 'report',
  }).errors;
  expect(problem?.message).toContain("missing ')' at '<EOF>'");
});

test('validates a custom resource against its definition unless `checkDefinitions` is false', async () => {
  const answer = admit(await prepareCluster({ resources: [definition] }), request);
  expect(answer).toEqual(admit(loadCluster({ resources: [definition], schemas }), request));
  expect(JSON.stringify(answer)).toContain('spec.pages: Invalid value');
  const unchecked = await prepareCluster({ resources: [definition], checkDefinitions: false });
  expect(admit(unchecked, request)).toMatchObject({ response: { allowed: true } });
});
