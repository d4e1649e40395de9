import { expect, test } from 'vitest';
import { admitObject } from '../../src/admit-object.ts';
import { prepareChain } from '../../src/prepare-chain.ts';

// The metadata fields of subresource objects that kube-apiserver 1.37 shows to a policy.

const apiVersion = 'admissionregistration.k8s.io/v1';
const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
const shown = (object: string): string =>
  `(${object} == null ? 'null' : string(${object}.metadata.map(k, k).sort().join(' ')))`;
const policy = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'see' },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    validations: [
      {
        expression: 'false',
        messageExpression: `request.operation + ' ' + request.resource.resource + '/' + request.subResource + ': ' + ${shown('object')} + ', ' + ${shown('oldObject')}`,
      },
    ],
  },
};
const binding = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'see' },
  spec: { policyName: 'see', validationActions: ['Deny'] },
};
const chain = await prepareChain({ resources: [policy, binding], clock: () => 0 });
const metadata = { name: 'a', namespace: 'default' };
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: 1 } };
const systemFields = 'creationTimestamp name namespace resourceVersion uid';

test.each([
  {
    object: { apiVersion: 'policy/v1', kind: 'Eviction', metadata },
    seen: 'CREATE pods/eviction: name namespace, null',
  },
  {
    object: scale,
    oldObject: scale,
    seen: `UPDATE deployments/scale: ${systemFields}, ${systemFields}`,
  },
])('a policy sees $object.kind as kube-apiserver shows it', ({ object, oldObject, seen }) => {
  const { message } = admitObject(chain, object, oldObject === undefined ? {} : { oldObject });
  expect(message).toContain(`denied request: ${seen}`);
});
