import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { expect, test } from 'vitest';
import { followedGroups } from '../src/policies/policy-groups.ts';

const scopes = ['', 'Cluster', 'Namespaced'];
const names = [
  ...['Policy', 'CleanupPolicy', 'ValidatingPolicy', 'MutatingPolicy'],
  ...['GeneratingPolicy', 'DeletingPolicy', 'ImageValidatingPolicy'],
];
/** No definition of Kyverno has these, although their names look like kinds of policies. */
const unknown = /^(?:Cluster(?:Validating|Mutating|Generating|Deleting|Image)|NamespacedCleanup)/;

test('follows all kinds of policies of Kyverno in a cluster, and the data that they share', () => {
  const groups = followedGroups({ native: false, own: false, kyverno: true, background: true });
  const followed = groups.flatMap(({ group, kinds }) =>
    [...kinds.keys()].map((kind) => `${group} ${kind}`),
  );
  const expected = ['kyverno.io', 'policies.kyverno.io'].flatMap((group) =>
    scopes
      .flatMap((scope) => names.map((name) => `${scope}${name}`))
      .filter((kind) => kyvernoRole({ group, kind }) !== undefined && !unknown.test(kind))
      .map((kind) => `${group} ${kind}`),
  );
  expect(followed.toSorted()).toEqual(['kyverno.io GlobalContextEntry', ...expected].toSorted());
});
