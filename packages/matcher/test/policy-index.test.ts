import type { ResourceRule } from '@kubeadmit/engine';
import { expect, test } from 'vitest';
import { PolicyIndex } from '../src/policy-index.ts';
import { criteria } from './requests.ts';

function about(entry: string, apiGroups: string[], resources: string[]) {
  const rule: ResourceRule = { operations: ['*'], apiGroups, apiVersions: ['*'], resources };
  return { entry, match: criteria({ resourceRules: [rule] }) };
}

const index = new PolicyIndex([
  about('deployments', ['apps'], ['deployments']),
  about('everything', ['*'], ['*/*']),
  about('pods', [''], ['pods/*']),
  about('apps', ['apps'], ['*']),
  { entry: 'no rules', match: criteria({ resourceRules: [] }) },
]);

test.each([
  ['apps', 'deployments', ['deployments', 'everything', 'apps', 'no rules']],
  ['', 'pods', ['everything', 'pods', 'no rules']],
  ['batch', 'jobs', ['everything', 'no rules']],
])('%s/%s', (group, resource, expected) => {
  const asked = { group, version: 'v1', resource };
  expect(index.candidates(asked, [asked])).toEqual(expected);
  expect(index.candidates(asked, [asked])).toEqual(expected);
});

test('an equivalent resource counts', () => {
  const asked = { group: 'extensions', version: 'v1beta1', resource: 'deployments' };
  const other = { group: 'apps', version: 'v1', resource: 'deployments' };
  expect(index.candidates(asked, [asked, other])).toContain('deployments');
});
