import type { JsonObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { applyPolicies, compilePolicy } from '../src/index.ts';
import { compileException } from '../src/rule/exception.ts';
import { readUser } from '../src/rule/user.ts';

const match = { any: [{ resources: { kinds: ['ConfigMap'] } }] };
const object: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
};

function policyWith(rule: JsonObject): JsonObject {
  const validate = { message: 'm', pattern: { metadata: { name: 'settings' } } };
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'p' },
    spec: { rules: [{ name: 'r', match, validate, ...rule }] },
  };
}

function resultsOf(policy: JsonObject, exceptions: readonly JsonObject[] = []): unknown {
  const setting = {
    operation: 'CREATE',
    facts: { operation: 'CREATE', subresource: '', namespaceLabels: {}, user: readUser({}).user },
    sources: {},
    exceptions: exceptions.map(compileException),
    isCluster: true,
  };
  const [response] = applyPolicies([compilePolicy(policy)], object, () => setting as never);
  return response?.results;
}

const exception = {
  apiVersion: 'kyverno.io/v2',
  kind: 'PolicyException',
  metadata: { name: 'e', namespace: 'shop' },
  spec: { match, exceptions: [{ policyName: 'p', ruleNames: ['r'] }] },
};

// Kyverno's `SubstitutePropertiesInRule`.
test('the properties of reports are substituted', () => {
  const reportProperties = { operation: '{{ request.operation }}', owner: 'a' };
  expect(resultsOf(policyWith({ reportProperties }))).toMatchObject([
    { status: 'pass', properties: { operation: 'CREATE', owner: 'a' } },
  ]);
});

test('properties with an unknown variable stay as they are', () => {
  const reportProperties = { owner: '{{ unknown }}' };
  expect(resultsOf(policyWith({ reportProperties }))).toMatchObject([
    { status: 'pass', properties: reportProperties },
  ]);
});

test('the result of a skipped rule names the exceptions', () => {
  expect(resultsOf(policyWith({}), [exception])).toMatchObject([
    { status: 'skip', exceptions: ['shop/e'] },
  ]);
});
