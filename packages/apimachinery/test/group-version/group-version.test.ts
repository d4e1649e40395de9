import { expect, test } from 'vitest';
import {
  formatGroupName,
  formatGroupVersion,
  formatGroupVersionKind,
  formatGroupVersionResource,
  groupVersionKindOf,
  parseGroupVersion,
  sameKind,
  sameResource,
} from '../../src/index.ts';

test.each([
  ['', { group: '', version: '' }],
  ['/', { group: '', version: '' }],
  ['v1', { group: '', version: 'v1' }],
  ['apps/v1', { group: 'apps', version: 'v1' }],
  ['/v1', { group: '', version: 'v1' }],
  ['apps/', { group: 'apps', version: '' }],
  ['a/b/c', undefined],
  ['//', undefined],
])('the apiVersion %j is parsed', (text, expected) => {
  expect(parseGroupVersion(text)).toEqual(expected);
});

test('an apiVersion with too many slashes has no group and version', () => {
  expect(groupVersionKindOf('a/b/c', 'X')).toEqual({ group: '', version: '', kind: 'X' });
  expect(groupVersionKindOf('apps/v1', 'X')).toEqual({ group: 'apps', version: 'v1', kind: 'X' });
});

const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const pod = { group: '', version: 'v1', kind: 'Pod' };
const pods = { group: '', version: 'v1', resource: 'pods' };

test('names are formatted as Go prints them', () => {
  expect([deployment, pod].map(formatGroupVersion)).toEqual(['apps/v1', 'v1']);
  expect([deployment, pod].map(formatGroupVersionKind)).toEqual([
    'apps/v1, Kind=Deployment',
    '/v1, Kind=Pod',
  ]);
  expect([deployments, pods].map(formatGroupVersionResource)).toEqual([
    'apps/v1, Resource=deployments',
    '/v1, Resource=pods',
  ]);
  expect(formatGroupName({ group: 'apps', name: 'deployments' })).toBe('deployments.apps');
  expect(formatGroupName({ group: '', name: 'Pod' })).toBe('Pod');
});

test('names are the same when all of their parts are', () => {
  expect(sameKind(pod, { ...pod })).toBe(true);
  expect(sameKind(pod, { ...pod, version: 'v2' })).toBe(false);
  expect(sameResource(pods, { ...pods })).toBe(true);
  expect(sameResource(pods, { ...pods, group: 'apps' })).toBe(false);
});
