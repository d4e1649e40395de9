import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadChain } from '../src/chain/chain.ts';
import { concernedKinds } from '../src/scan/concerned-kinds.ts';
import { images } from './images.ts';

interface ConcernCase {
  readonly name: string;
  readonly policy: PolicyOfCase;
  readonly withMutating?: boolean;
  readonly concerned: readonly string[];
}

interface PolicyOfCase {
  readonly kind: string;
  readonly rules?: readonly object[];
  /** Names of Kyverno's autogen. */
  readonly controllers?: readonly string[];
  /** Kinds of a classic rule. */
  readonly kinds?: readonly string[];
  readonly mutates?: boolean;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const cases = parse(read('concerned-kinds.yaml')) as readonly ConcernCase[];
const schemas = await loadSchemas();
const served = [
  { group: '', version: 'v1', kind: 'Pod', resource: 'pods' },
  { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps' },
  { group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments' },
  { group: 'batch', version: 'v1', kind: 'CronJob', resource: 'cronjobs' },
  { group: 'events.k8s.io', version: 'v1', kind: 'Event', resource: 'events' },
];

test.each(cases)('$name', async ({ policy, withMutating = false, concerned }) => {
  const chain = await loadChain({ resources: [objectOf(policy)], schemas, images, clock: () => 0 });
  expect(chain.cluster.errors).toEqual([]);
  const concerns = await concernedKinds(chain, { withMutating });
  const kinds = served.filter(concerns).map(({ group, resource }) => `${group}/${resource}`);
  expect(kinds).toEqual(concerned);
});

function objectOf(policy: PolicyOfCase): KubernetesObject {
  const { kind, kinds, mutates = false } = policy;
  const metadata = { name: 'tried' };
  if (kind === 'ClusterPolicy') {
    const does = mutates
      ? { mutate: { patchStrategicMerge: { metadata: { labels: { a: 'b' } } } } }
      : { validate: { message: 'no', deny: {} } };
    const rule = { name: 'one', match: { any: [{ resources: { kinds } }] }, ...does };
    return { apiVersion: 'kyverno.io/v1', kind, metadata, spec: { rules: [rule] } };
  }
  return { apiVersion: apiVersionOf(kind), kind, metadata, spec: specOf(policy) };
}

function apiVersionOf(kind: string): string {
  return kind.includes('Admission') ? 'admissionregistration.k8s.io/v1' : 'policies.kyverno.io/v1';
}

function specOf({ kind, rules = [], controllers }: PolicyOfCase): object {
  const resourceRules = rules.map((rule) => ({
    apiVersions: ['*'],
    operations: ['CREATE'],
    ...rule,
    ...(kind.includes('Admission') ? {} : { apiVersions: ['v1'] }),
  }));
  const autogen = controllers && { podControllers: { controllers } };
  const matched = { matchConstraints: { resourceRules }, ...(autogen && { autogen }) };
  if (!kind.startsWith('Mutating')) return { ...matched, validations: [{ expression: 'true' }] };
  const expression = 'Object{metadata: Object.metadata{labels: {"a": "b"}}}';
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  return {
    ...matched,
    mutations,
    ...(kind.includes('Admission') && { reinvocationPolicy: 'Never' }),
  };
}
