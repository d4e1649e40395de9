import type { JsonObject } from '@kubeadmit/apimachinery';
import { plainKind } from '../match/kind.ts';
import { objectField, objectsField, textsField } from '../policy/fields.ts';

/** The controllers whose pod template is `spec.template`, with their group and version. */
export const workloads: ReadonlyMap<string, string> = new Map([
  ['DaemonSet', 'apps/v1/DaemonSet'],
  ['Deployment', 'apps/v1/Deployment'],
  ['Job', 'batch/v1/Job'],
  ['ReplicaSet', 'apps/v1/ReplicaSet'],
  ['ReplicationController', 'v1/ReplicationController'],
  ['StatefulSet', 'apps/v1/StatefulSet'],
]);

/** Pods and all their controllers, with their group and version. */
export const longNames: ReadonlyMap<string, string> = new Map([
  ...workloads,
  ['CronJob', 'batch/v1/CronJob'],
  ['Pod', 'v1/Pod'],
]);

/** Whether kinds name pods. */
export function containsPod(kinds: readonly string[]): boolean {
  return kinds.some((kind) => plainKind(kind) === 'Pod');
}

/** The kinds that a block names. */
export function kindsOf(block: JsonObject | undefined): readonly string[] {
  if (block === undefined) return [];
  return [block, ...objectsField(block, 'all'), ...objectsField(block, 'any')].flatMap((filter) =>
    textsField(objectField(filter, 'resources') ?? {}, 'kinds'),
  );
}
