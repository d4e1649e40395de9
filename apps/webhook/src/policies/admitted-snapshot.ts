import { kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import { followedGroups, isFollowedNamespace, type PolicyGroups } from './policy-groups.ts';
import type { Snapshot } from './snapshot.ts';

const everything: PolicyGroups = {
  native: true,
  own: true,
  kyverno: true,
  background: true,
  exceptionNamespace: '*',
};
const policyKinds = kindsOf(everything);

/**
 * Returns a snapshot without the policies and exceptions of a cluster that the present options exclude: a kept set is
 * from the options of another start.
 *
 * @param groups the policies of the cluster that are followed; undefined without a cluster
 */
export function admittedSnapshot(snapshot: Snapshot, groups: PolicyGroups | undefined): Snapshot {
  const { clusterObjects, ...others } = snapshot;
  if (clusterObjects === undefined) return snapshot;
  if (groups === undefined) return { sources: snapshot.sources, problems: snapshot.problems };
  const followed = kindsOf(groups);
  return {
    ...others,
    clusterObjects: clusterObjects.filter(({ text }) => {
      const object = parseJson(text);
      const { group = '', kind = '' } = kindOfObject(object) ?? {};
      const key = keyOf(group, kind);
      if (!policyKinds.has(key)) return true;
      return (
        followed.has(key) && isFollowedNamespace(kind, metadataString(object, 'namespace'), groups)
      );
    }),
  };
}

function kindsOf(groups: PolicyGroups): ReadonlySet<string> {
  return new Set(
    followedGroups(groups).flatMap(({ group, kinds }) =>
      [...kinds.keys()].map((kind) => keyOf(group, kind)),
    ),
  );
}

function keyOf(group: string, kind: string): string {
  return `${group}/${kind}`;
}
