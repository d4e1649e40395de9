import { type JsonObject, metadataString } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { loadChain } from '../src/index.ts';
import { isNewerThan } from '../src/kyverno/wanted.ts';

const namespaces = { group: '', version: 'v1', kind: 'Namespace', resource: 'namespaces' };

function namespace(labels: object, metadata: object = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', uid: 'u1', labels, ...metadata },
  };
}

const source: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'source', namespace: 'base' },
};
const data = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'made',
  namespace: '{{request.object.metadata.name}}',
  data: { data: { a: 'b' } },
};
const clone = { ...data, data: undefined, clone: { name: 'source', namespace: 'base' } };

interface WantedCase {
  readonly title: string;
  readonly generate: object;
  readonly rule?: object;
  readonly labels?: object;
  readonly sources?: readonly JsonObject[];
  readonly isDeleted?: boolean;
  readonly extent: string;
  readonly names?: readonly string[];
  readonly problem?: string;
}

const resources = { kinds: ['Namespace'], selector: { matchLabels: { team: '?*' } } };
const onlyOn = (operation: string): object => ({
  match: { any: [{ resources: { ...resources, operations: [operation] } }] },
});

const cases: readonly WantedCase[] = [
  {
    title: 'a matching trigger wants its object',
    generate: data,
    extent: 'exact',
    names: ['made'],
  },
  { title: 'a trigger that does not match wants none', generate: data, labels: {}, extent: 'none' },
  {
    title: 'a trigger whose preconditions are not met wants none',
    generate: data,
    rule: { preconditions: [{ key: 'a', operator: 'Equals', value: 'b' }] },
    extent: 'none',
  },
  {
    title: 'a context that cannot be loaded makes the objects unknown',
    generate: { ...data, name: '{{x.data.name}}' },
    rule: { context: [{ name: 'x', configMap: { name: 'absent', namespace: 'base' } }] },
    extent: 'unknown',
    problem: 'absent',
  },
  {
    title: 'a variable that is undefined makes the objects unknown',
    generate: { ...data, name: '{{request.userInfo.username}}' },
    extent: 'unknown',
    problem: 'request.userInfo.username',
  },
  {
    title: 'a rule for updates applies to a trigger whose history is unknown',
    generate: data,
    rule: onlyOn('UPDATE'),
    extent: 'exact',
    names: ['made'],
  },
  {
    title: 'a rule for deletions wants nothing of a trigger that exists',
    generate: data,
    rule: onlyOn('DELETE'),
    extent: 'none',
  },
  {
    title: 'a rule for deletions wants its object of a trigger that was deleted',
    generate: data,
    rule: onlyOn('DELETE'),
    isDeleted: true,
    extent: 'exact',
    names: ['made'],
  },
  {
    title: 'a clone exists with its source',
    generate: clone,
    sources: [source],
    extent: 'exact',
    names: ['made'],
  },
  {
    title: 'a clone does not exist without its source',
    generate: clone,
    extent: 'exact',
    problem: 'source resource v1/ConfigMap/shop/made not found',
  },
  {
    title: 'an existing clone is wanted too',
    generate: clone,
    sources: [source, { ...source, metadata: { name: 'made', namespace: 'shop' } }],
    extent: 'exact',
    names: ['made'],
  },
];

describe('the objects that a rule wants', () => {
  test.each(cases)('$title', async (given) => {
    const { generate, rule, labels = { team: 'a' }, sources = [], isDeleted = false } = given;
    const policy = {
      apiVersion: 'kyverno.io/v1',
      kind: 'ClusterPolicy',
      metadata: { name: 'p' },
      spec: { rules: [{ name: 'r', match: { any: [{ resources }] }, generate, ...rule }] },
    };
    const schemas = await loadSchemas();
    const { kyverno } = await loadChain({ resources: [policy], schemas, clock: () => 0 });
    const [generator] = kyverno?.background.generators ?? [];
    if (kyverno === undefined || generator === undefined) throw new Error('no generator');
    const trigger = { object: namespace(labels), resource: namespaces };
    const [wanted] = kyverno.background.wanted(generator, trigger, () => sources, isDeleted);
    expect(wanted?.extent).toBe(given.extent);
    expect(wanted?.objects.map((object) => metadataString(object, 'name'))).toEqual(
      given.names ?? [],
    );
    if (given.problem === undefined) expect(wanted?.problem).toBe('');
    else expect(wanted?.problem).toContain(given.problem);
  });
});

const noon = '2026-01-01T12:00:00Z';
const one = '2026-01-01T13:00:00Z';
const manager = (time: string, subresource?: string): object => ({
  managedFields: [{ manager: 'm', time, ...(subresource && { subresource }) }],
});

describe('a trigger is newer than a policy', () => {
  test.each([
    { title: 'if it was created later', metadata: { creationTimestamp: one }, isNewer: true },
    { title: 'if it was created at once', metadata: { creationTimestamp: noon }, isNewer: true },
    {
      title: 'if it was created at once with a later version',
      metadata: { creationTimestamp: noon, resourceVersion: '10' },
      isNewer: true,
    },
    {
      title: 'unless it was created at once with an earlier version',
      metadata: { creationTimestamp: noon, resourceVersion: '8' },
      isNewer: false,
    },
    { title: 'if it was changed later', metadata: manager(one), isNewer: true },
    { title: 'unless its status alone changed', metadata: manager(one, 'status'), isNewer: false },
    { title: 'unless nothing is known', metadata: {}, isNewer: false },
  ])('$title', ({ metadata, isNewer }) => {
    const ofPolicy = { creationTimestamp: noon, resourceVersion: '9' };
    const policy = { apiVersion: 'v1', kind: 'P', metadata: ofPolicy };
    expect(isNewerThan(policy, namespace({}, metadata))).toBe(isNewer);
  });
});
