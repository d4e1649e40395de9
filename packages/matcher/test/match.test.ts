import type { MatchResources, RequestAttributes, ResourceRule } from '@kubeadmit/engine';
import { expect, test } from 'vitest';
import { compileMatch, type MatchReason, matchRequest } from '../src/match.ts';
import { criteria, deploymentRequest, environment } from './requests.ts';

const rule: ResourceRule = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
  scope: '*',
};

function match(changes: Partial<MatchResources>, request: Partial<RequestAttributes> = {}) {
  return matchRequest(compileMatch(criteria(changes)), deploymentRequest(request), environment);
}

interface RuleCase {
  readonly rule: Partial<ResourceRule>;
  readonly request?: Partial<RequestAttributes>;
  readonly part?: string;
}

const pods = { group: '', version: 'v1', resource: 'pods' };
const podRule = { apiGroups: [''], apiVersions: ['v1'] };
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

test.each<RuleCase>([
  { rule: {} },
  { rule: { operations: ['DELETE'] }, part: 'operation' },
  { rule: { operations: ['*'] }, request: { operation: 'CONNECT' } },
  { rule: { apiGroups: [''] }, part: 'group' },
  { rule: { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] } },
  { rule: { resources: ['*'] }, request: { subresource: 'scale' }, part: 'resource' },
  { rule: { resources: ['*/*'] }, request: { subresource: 'scale' } },
  { rule: { resources: ['*/scale'] }, request: { subresource: 'scale' } },
  { rule: { resources: ['deployments/*'] } },
  { rule: { resources: ['deployments/status'] }, part: 'resource' },
  { rule: { resourceNames: ['api'] }, part: 'name' },
  { rule: { resourceNames: ['api', 'web'] } },
  { rule: { scope: 'Cluster' }, part: 'scope' },
  { rule: { scope: 'Namespaced' } },
  { rule: { scope: 'Namespaced' }, request: { namespace: '' }, part: 'scope' },
  { rule: { ...podRule, resources: ['pods'] }, request: { resource: pods } },
  {
    rule: { ...podRule, resources: ['namespaces'], scope: 'Namespaced' },
    request: { resource: namespaces, namespace: 'shop' },
    part: 'scope',
  },
  {
    rule: { ...podRule, resources: ['namespaces'], scope: 'Cluster' },
    request: { resource: namespaces, namespace: 'shop' },
  },
])('the rule $rule and the request $request differ in $part', ({ rule: own, request, part }) => {
  const result = match({ resourceRules: [{ ...rule, ...own }] }, request);
  const reason =
    part === undefined ? { type: 'rule', rule: 0 } : { type: 'noRuleFits', parts: [part] };
  expect(result.reason).toEqual(reason);
});

const newer = { group: 'apps', version: 'v1beta1', resource: 'deployments' };

test.each<[string, Partial<MatchResources>, Partial<RequestAttributes>, MatchReason]>([
  ['no rules', { resourceRules: [] }, {}, { type: 'noRules' }],
  [
    'an exclusion',
    { excludeResourceRules: [{ ...rule, resourceNames: ['web'] }] },
    {},
    { type: 'excluded', rule: 0 },
  ],
  [
    'an exclusion of another name',
    { excludeResourceRules: [{ ...rule, resourceNames: ['api'] }] },
    {},
    { type: 'rule', rule: 0 },
  ],
  [
    'an exact version',
    { matchPolicy: 'Exact' },
    { resource: newer },
    { type: 'noRuleFits', parts: ['version'] },
  ],
  [
    'an equivalent version',
    {},
    { resource: newer },
    { type: 'equivalentRule', rule: 0, resource: { ...newer, version: 'v1' } },
  ],
  [
    'a namespace with other labels',
    { namespaceSelector: { matchLabels: { team: 'other' } } },
    {},
    { type: 'namespaceSelector' },
  ],
  [
    'a namespace selector and an object of cluster scope',
    { namespaceSelector: { matchLabels: { team: 'other' } } },
    { namespace: '' },
    { type: 'rule', rule: 0 },
  ],
  [
    'an object with other labels',
    { objectSelector: { matchLabels: { app: 'api' } } },
    {},
    { type: 'objectSelector' },
  ],
  [
    'an old object with the labels',
    { objectSelector: { matchLabels: { app: 'api' } } },
    { operation: 'UPDATE', oldObject: { metadata: { labels: { app: 'api' } } } },
    { type: 'rule', rule: 0 },
  ],
  [
    'a missing namespace',
    { namespaceSelector: { matchLabels: { team: 'shop' } } },
    { namespace: 'gone' },
    { type: 'error' },
  ],
  [
    'a missing namespace that nobody asks for',
    {
      namespaceSelector: { matchLabels: { team: 'shop' } },
      resourceRules: [{ ...rule, operations: ['DELETE'] }],
    },
    { namespace: 'gone' },
    { type: 'noRuleFits', parts: ['operation'] },
  ],
])('%s', (_name, changes, request, reason) => {
  expect(match(changes, request).reason).toEqual(reason);
});

test('an equivalent match asks for the version of its rule', () => {
  expect(match({}, { resource: newer })).toMatchObject({
    outcome: 'match',
    resource: { version: 'v1' },
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  });
});
