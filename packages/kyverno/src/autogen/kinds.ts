import type { JsonObject } from '@kubeadmit/apimachinery';
import { objectField, objectsField, textsField } from '../fields/fields.ts';
import { plainKind } from '../match/kind.ts';
import { templatePaths } from './template-place.ts';

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

/** Returns the path of the pod's `spec` in an object of a kind, or `undefined` for kinds that create no pods. */
export function podSpecPath(kind: string): string | undefined {
  if (kind === 'Pod') return 'spec';
  if (kind === 'CronJob') return `${templatePaths.cronjobs}.spec`;
  return workloads.has(kind) ? `${templatePaths.defaults}.spec` : undefined;
}

/** Whether kinds name pods. */
export function containsPod(kinds: readonly string[]): boolean {
  return kinds.some((kind) => plainKind(kind) === 'Pod');
}

/** The kinds that a block names. */
export function kindsOf(block: JsonObject | undefined): readonly string[] {
  if (block === undefined) return [];
  return filtersOf(block).flatMap((filter) =>
    textsField(objectField(filter, 'resources') ?? {}, 'kinds'),
  );
}

/** A block of filters as one itself, and those in its lists. */
export function filtersOf(block: JsonObject): readonly JsonObject[] {
  return [block, ...objectsField(block, 'any'), ...objectsField(block, 'all')];
}
