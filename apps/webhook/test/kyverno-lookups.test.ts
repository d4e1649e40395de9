import { expect, test } from 'vitest';
import { kyvernoLookups } from '../src/cluster/kyverno-lookups.ts';

test.each([
  ['resource.Get("v1", "secrets", "shop", "a")', [{ apiVersion: 'v1', resource: 'secrets' }]],
  ['resource.get("v1", "secrets", "shop", "a")', [{ apiVersion: 'v1', resource: 'secrets' }]],
  [
    "resource.list('apps/v1', 'deployments', '')",
    [{ apiVersion: 'apps/v1', resource: 'deployments' }],
  ],
  ['object.resource.got("v1", "secrets")', []],
])('%s looks up %j', (expression, expected) => {
  const policy = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'GeneratingPolicy',
    spec: { variables: [{ name: 'source', expression }] },
  };
  expect(kyvernoLookups([policy])).toEqual(expected);
});
