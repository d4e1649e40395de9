import type { ResourceRule } from '@kubeadmit/engine';
import { describe, expect, test } from 'vitest';
import { compileMatch } from '../src/match.ts';
import { type Indexed, PolicyIndex } from '../src/policy-index.ts';
import { criteria, deploymentRequest, environment } from './requests.ts';

function entry(name: string, changes: Parameters<typeof criteria>[0], alternatives = [undefined]) {
  const own = criteria(changes);
  return { name, entry: name, criteria: own, match: compileMatch(own), alternatives };
}

function about(name: string, apiGroups: string[], resources: string[]) {
  const rule: ResourceRule = { operations: ['*'], apiGroups, apiVersions: ['*'], resources };
  return entry(name, { resourceRules: [rule] });
}

function indexOf<Entry>(all: readonly Indexed<Entry>[]): PolicyIndex<Entry> {
  const index = new PolicyIndex<Entry>();
  for (const each of all) index.add(each);
  return index;
}

const index = indexOf([
  about('deployments', ['apps'], ['deployments']),
  about('everything', ['*'], ['*/*']),
  about('pods', [''], ['pods/*']),
  about('apps', ['apps'], ['*']),
  entry('no rules', { resourceRules: [] }),
]);

test.each([
  ['apps', 'deployments', ['apps', 'deployments', 'everything', 'no rules']],
  ['', 'pods', ['everything', 'no rules', 'pods']],
  ['batch', 'jobs', ['everything', 'no rules']],
])('%s/%s', (group, resource, expected) => {
  const request = deploymentRequest({ resource: { group, version: 'v1', resource } });
  expect(index.candidates(request, environment)).toEqual(expected);
  expect(index.candidates(request, environment)).toEqual(expected);
});

test('an equivalent resource counts', () => {
  const resource = { group: 'extensions', version: 'v1beta1', resource: 'deployments' };
  const other = { group: 'apps', version: 'v1', resource: 'deployments' };
  const equivalents = () => [resource, other];
  const found = index.candidates(deploymentRequest({ resource }), { ...environment, equivalents });
  expect(found).toContain('deployments');
});

const [rule] = criteria().resourceRules ?? [];
const ofOtherTeam = compileMatch({ namespaceSelector: { matchLabels: { team: 'other' } } });

test.each([
  ['its operation', entry('x', { resourceRules: [{ ...rule, operations: ['DELETE'] }] }), false],
  ['its scope', entry('x', { resourceRules: [{ ...rule, scope: 'Cluster' }] }), false],
  ['its version', entry('x', { resourceRules: [{ ...rule, apiVersions: ['v2'] }] }), false],
  ['an equivalent', entry('x', { resourceRules: [{ ...rule, apiVersions: ['v1beta1'] }] }), true],
  ['its namespace', entry('x', { namespaceSelector: { matchLabels: { team: 'x' } } }), false],
  ['its name', entry('x', { resourceRules: [{ ...rule, resourceNames: ['other'] }] }), true],
  ['its object', entry('x', { objectSelector: { matchLabels: { app: 'other' } } }), true],
  ['an exclusion', entry('x', { excludeResourceRules: [rule ?? {}] }), true],
])('a policy may be left out for %s', (_, indexed, expected) => {
  const found = indexOf([indexed]).candidates(deploymentRequest(), environment);
  expect(found).toEqual(expected ? ['x'] : []);
});

test('at least one of the alternatives must match', () => {
  const { match, criteria: own } = entry('x', {});
  const indexed = { name: 'x', entry: 'x', criteria: own, match };
  const request = deploymentRequest();
  const one = indexOf([{ ...indexed, alternatives: [ofOtherTeam] }]);
  expect(one.candidates(request, environment)).toEqual([]);
  const two = indexOf([{ ...indexed, alternatives: [ofOtherTeam, undefined] }]);
  expect(two.candidates(request, environment)).toEqual(['x']);
  // A namespace that is not there is an error of the policy, whatever its bindings are.
  const lost = { ...environment, namespaceLabels: () => undefined };
  const selecting = entry('x', { namespaceSelector: { matchLabels: { team: 'x' } } });
  const broken = indexOf([{ ...selecting, alternatives: [ofOtherTeam] }]);
  expect(broken.candidates(request, lost)).toEqual(['x']);
});

describe('entries that come and go', () => {
  const deployments = about('deployments', ['apps'], ['deployments']);
  const request = deploymentRequest();
  const pods = deploymentRequest({ resource: { group: '', version: 'v1', resource: 'pods' } });

  test('lists that were given stay as they are', () => {
    const index = indexOf([deployments]);
    const before = index.candidates(request, environment);
    index.add(about('apps', ['apps'], ['*']));
    expect(index.candidates(request, environment)).toEqual(['apps', 'deployments']);
    index.remove(deployments);
    expect(index.candidates(request, environment)).toEqual(['apps']);
    expect(before).toEqual(['deployments']);
    expect(index.candidates(pods, environment)).toEqual([]);
  });

  test('those of one name come as they were added', () => {
    const [first, second] = ['first', 'second'].map((name) => ({ ...deployments, entry: name }));
    const index = indexOf([first, second].filter((each) => each !== undefined));
    expect(index.candidates(request, environment)).toEqual(['first', 'second']);
    if (first === undefined) throw new Error('nothing');
    index.remove(first);
    index.add(first);
    index.add(first);
    expect(index.candidates(request, environment)).toEqual(['second', 'first']);
    expect(indexOf([first]).candidates(request, environment)).toEqual(['first']);
  });

  test('keep their order after any number of changes', () => {
    const index = indexOf([deployments]);
    index.candidates(request, environment);
    const many = Array.from({ length: 3000 }, (_, i) => about(`m${i}`, ['apps'], ['deployments']));
    for (const each of many) index.add(each);
    for (const each of many.slice(2)) index.remove(each);
    expect(index.candidates(request, environment)).toEqual(['deployments', 'm0', 'm1']);
    for (const each of [deployments, ...many]) index.remove(each);
    expect(index.isEmpty).toBe(true);
    expect(index.candidates(request, environment)).toEqual([]);
  });

  test('results that a change cannot affect are reused', () => {
    const index = indexOf([deployments, about('pods', [''], ['pods'])]);
    const asked: string[] = [];
    const equivalents: typeof environment.equivalents = (resource) => {
      asked.push(resource.resource);
      return environment.equivalents(resource);
    };
    const ask = (): unknown =>
      [request, pods].map((each) => index.candidates(each, { ...environment, equivalents }));
    expect(ask()).toEqual([['deployments'], ['pods']]);
    index.add(about('more', ['apps'], ['deployments/scale', 'deployments']));
    expect(ask()).toEqual([['deployments', 'more'], ['pods']]);
    expect(asked).toEqual(['deployments', 'pods', 'deployments']);
    index.remove(deployments);
    expect(ask()).toEqual([['more'], ['pods']]);
    index.add(about('all', ['*'], ['*']));
    expect(ask()).toEqual([
      ['all', 'more'],
      ['all', 'pods'],
    ]);
    expect(asked.slice(3)).toEqual(['deployments', 'deployments', 'pods']);
  });

  test('more kinds of requests than are kept', () => {
    const index = indexOf([deployments]);
    for (let i = 0; i < 10_000; i++)
      index.candidates(deploymentRequest({ namespace: `n${i}` }), environment);
    index.remove(deployments);
    index.add(about('apps', ['apps'], ['*']));
    const asked = ['n0', 'n9999'].map((namespace) => deploymentRequest({ namespace }));
    expect(asked.map((each) => index.candidates(each, environment))).toEqual([['apps'], ['apps']]);
  });

  test('evaluates labels and kinds again after an invalidation', () => {
    const selecting = entry('x', { namespaceSelector: { matchLabels: { team: 'x' } } });
    const index = indexOf([selecting]);
    expect(index.candidates(request, environment)).toEqual([]);
    index.reconsider();
    const ofTeam = { ...environment, namespaceLabels: () => ({ team: 'x' }) };
    expect(index.candidates(request, ofTeam)).toEqual(['x']);
    const resource = { group: 'extensions', version: 'v1beta1', resource: 'deployments' };
    const old = deploymentRequest({ resource });
    expect(index.candidates(old, ofTeam)).toEqual([]);
    index.reconsider();
    const equivalents = () => [resource, { group: 'apps', version: 'v1', resource: 'deployments' }];
    expect(index.candidates(old, { ...ofTeam, equivalents })).toEqual(['x']);
  });
});
