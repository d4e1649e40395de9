import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { loadChain } from '../src/chain/chain.ts';

const schemas = await loadSchemas();
const match = { any: [{ resources: { kinds: ['ConfigMap'] } }] };
const pattern = { metadata: { labels: { team: '?*' } } };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'shop' } };
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const request: AdmissionRequest = {
  ...{ kind: { group: '', version: 'v1', kind: 'ConfigMap' }, resource: configMaps },
  ...{ operation: 'CREATE', name: 'c', namespace: 'shop', userInfo: {}, object },
  ...{ oldObject: null, options: null },
};

function classic(spec: object, rule: object): object {
  const metadata = { name: 'p' };
  const rules = [{ name: 'r', match, ...rule }];
  return { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata, spec: { rules, ...spec } };
}

function cel(validationActions: readonly string[]): object {
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ];
  return {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    metadata: { name: 'v' },
    spec: {
      validationActions,
      matchConstraints: { resourceRules },
      validations: [{ expression: 'false', message: 'never' }],
    },
  };
}

const audit = { validate: { failureAction: 'Audit', message: 'no team', pattern } };
const enforce = { validate: { failureAction: 'Enforce', message: 'no team', pattern } };
const mutate = { mutate: { patchStrategicMerge: { metadata: { labels: { a: 'b' } } } } };
const failure = 'policy p.r: validation error: no team. rule r failed at path /metadata/labels/';

// Kyverno's `GetWarningMessages`, and the handlers of its policies in CEL.
test.each([
  ['audits with `emitWarning`', classic({ emitWarning: true }, audit), [failure], []],
  ['audits', classic({}, audit), [], []],
  ['denies with `emitWarning`', classic({ emitWarning: true }, enforce), [], []],
  [
    'mutates with `emitWarning`',
    classic({ emitWarning: true }, mutate),
    [],
    ['policy p.r: mutated ConfigMap/c in namespace shop'],
  ],
  ['mutates', classic({}, mutate), [], []],
  ['is in CEL and warns', cel(['Warn']), ['Policy v failed: never'], []],
  ['is in CEL, warns and denies', cel(['Deny', 'Warn']), ['Policy v failed: never'], []],
  ['is in CEL and audits', cel(['Audit']), [], []],
])('the client gets the warnings of a policy that %s', async (_, policy, ofValidate, ofMutate) => {
  const resources = [policy as KubernetesObject];
  const { kyverno } = await loadChain({ resources, schemas, clock: () => 0 });
  if (kyverno === undefined) throw new Error('no policies of Kyverno');
  expect(kyverno.validate(request, object).warnings).toEqual(ofValidate);
  expect(kyverno.mutate(request, object).warnings).toEqual(ofMutate);
});
