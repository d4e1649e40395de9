import { labelsOf } from '@kubeadmit/apimachinery';
import type { Manifest } from '@kubeadmit/manifest';

/** The role of a Kyverno object: rules, CEL, cleanup, exceptions, data of rules, or tests. */
export type KyvernoRole = 'classic' | 'cel' | 'cleanup' | 'exception' | 'data' | 'test';

/** Returns the role of an object in Kyverno, or `undefined` for other objects. */
export function kyvernoRole({
  group,
  kind,
}: {
  readonly group: string;
  readonly kind: string;
}): KyvernoRole | undefined {
  if (group === 'cli.kyverno.io') return 'test';
  if (group !== 'kyverno.io' && group !== 'policies.kyverno.io') return undefined;
  if (kind === 'PolicyException') return 'exception';
  if (group === 'kyverno.io' && kind === 'GlobalContextEntry') return 'data';
  if (group === 'kyverno.io' && (kind === 'ClusterPolicy' || kind === 'Policy')) return 'classic';
  if (group === 'kyverno.io' && plainKind(kind) === 'CleanupPolicy') return 'cleanup';
  if (
    group === 'policies.kyverno.io' &&
    /^(?:Validating|Mutating|Generating|Deleting|ImageValidating)Policy$/.test(plainKind(kind))
  ) {
    return 'cel';
  }
  return undefined;
}

/** A kind without its prefix of scope. */
function plainKind(kind: string): string {
  return kind.replace(/^(?:Namespaced|Cluster)(?=.)/, '');
}

/** The label of objects that Kyverno's cleanup controller deletes after a time, or at one. */
export const timeToLiveLabel = 'cleanup.kyverno.io/ttl';

/** Returns when Kyverno deletes an object, as its label says; `undefined` without the label. */
export function timeToLiveOf({ object }: Manifest): string | undefined {
  const labels = labelsOf(object);
  return Object.hasOwn(labels, timeToLiveLabel) ? labels[timeToLiveLabel] : undefined;
}
