import type { Manifest } from '@kubeadmit/manifest';
import { isReview } from '../requests/review.ts';
import type { PluginChoice } from './plugin-choice.ts';

/**
 * Kinds that the default plugins neither change nor refuse, unless a quota counts them or a namespace has labels for
 * PodSecurity.
 */
const plainKinds: ReadonlySet<string> = new Set([
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'].map((kind) => `apps/${kind}`),
  ...['Job', 'CronJob'].map((kind) => `batch/${kind}`),
  ...['ReplicationController', 'Service', 'ConfigMap', 'Secret'].map((kind) => `/${kind}`),
]);

/** Kinds because of which plugins treat any object. */
const widespreadKinds: ReadonlySet<string> = new Set(['ResourceQuota', 'Namespace']);

/** The manifests of a check. */
export interface CheckedManifests {
  /** The objects to check. */
  readonly subjects: readonly Manifest[];
  /** Other objects of the cluster: those that policies use, and those that they do not use. */
  readonly context: readonly Manifest[];
  readonly leftovers: readonly Manifest[];
}

/**
 * Returns the default plugins; undefined if none of them does anything with the objects to check. Their code is
 * then not loaded.
 */
export function defaultPluginsFor({
  subjects,
  leftovers,
  context,
}: CheckedManifests): PluginChoice | undefined {
  const isPlain = (manifest: Manifest): boolean =>
    !isReview(manifest) && plainKinds.has(`${manifest.group}/${manifest.kind}`);
  const isTreated =
    !subjects.every(isPlain) ||
    [...leftovers, ...context].some(({ kind }) => widespreadKinds.has(kind));
  return isTreated ? { selection: 'default' } : undefined;
}
