import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { admitObject, type ObjectRequest, prepareChain } from '../../src/index.ts';

interface Case {
  readonly name: string;
  readonly resources: readonly KubernetesObject[];
  readonly object: KubernetesObject;
  readonly request?: ObjectRequest;
  readonly allowed: boolean;
  /** `POLICY VERDICT`, sorted. */
  readonly findings: readonly string[];
  readonly message?: string;
  readonly failure?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL('admit-object.yaml', import.meta.url), 'utf8');
const cases = parse(text) as readonly Case[];
const clock = (): number => 0;

test.each(cases)('$name', async (given) => {
  const chain = await prepareChain({ resources: given.resources, clock });
  const passage = admitObject(chain, given.object, given.request);
  expect(passage.allowed).toBe(given.allowed);
  const told = passage.findings.map(({ policy, verdict }) => `${policy} ${verdict}`);
  expect(told.sort()).toEqual(given.findings);
  expect(passage.findings.map(({ message }) => message).join()).toContain(given.message ?? '');
  expect(passage.failure ?? '').toContain(given.failure ?? '');
  expect(passage.failure === undefined).toBe(given.failure === undefined);
  if (given.labels) expect(passage.object?.['metadata']).toMatchObject({ labels: given.labels });
});

const rule = { name: 'r', match: { any: [{ resources: { kinds: ['Pod'] } }] } };
const policy = (rules: readonly object[], kind = 'ClusterPolicy') => ({
  apiVersion: 'kyverno.io/v1',
  kind,
  metadata: { name: 'p' },
  spec: { rules },
});

test.each([
  ['a policy that Kyverno refuses', policy([{ ...rule, validate: { pattern: '{{ x }}' } }])],
  ['a policy that its definition refuses', policy([{ ...rule, match: { any: 'Pod' } }])],
  ['a rule that is not evaluated', policy([{ ...rule, generate: { kind: 'Secret', name: 'a' } }])],
  ['a kind that is not evaluated', policy([], 'CleanupPolicy')],
])('%s is never silent', async (_, resource) => {
  const resources = [resource as unknown as KubernetesObject];
  await expect(prepareChain({ resources, clock })).rejects.toThrow(/refuse 1 resource|Policy\/p/);
  const { errors } = await prepareChain({ resources, clock, onErrors: 'report' });
  expect(errors[0]?.resource).toMatch(/Policy\/p$/);
});

test.each([
  ['no options', undefined],
  ['a list', []],
  ['a policy for the list', { resources: policy([]), clock }],
  ['no clock', { resources: [] }],
  ['another word', { resources: [], clock, onErrors: 'ignore' }],
])('%s instead of options is a TypeError', async (_, options) => {
  await expect(prepareChain(options as never)).rejects.toThrow(TypeError);
});

test('what is no chain and no object is a TypeError', async () => {
  const chain = prepareChain({ resources: [], clock });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(() => admitObject(chain as never, object)).toThrow(TypeError);
  expect(() => admitObject(undefined as never, object)).toThrow(TypeError);
  for (const wrong of [undefined, null, 'a', [object], Promise.resolve(object)]) {
    expect(() => admitObject({ cluster: {} } as never, wrong as never)).toThrow(TypeError);
  }
});
