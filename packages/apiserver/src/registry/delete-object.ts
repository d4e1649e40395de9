import { type KubernetesObject, member, memberList, memberObject } from '@kubeadmit/apimachinery';
import { withCondition } from '../definitions/accepted-names.ts';
import { cleanupFinalizer, conditionsOf } from '../definitions/conditions.ts';
import { conflict, notFound } from '../errors/failures.ts';
import { type Endpoint, isCore, keyOf } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, timeNow, timeText, withMember, withMetadata } from '../objects/metadata.ts';
import type { DeleteOptions } from '../options/delete-options.ts';
import type { StoredObject } from '../store/registry.ts';

export interface DeletedObject {
  readonly endpoint: Endpoint;
  readonly namespace: string;
  readonly name: string;
  readonly options: DeleteOptions;
  /** Asks the validating admission; throws where it refuses. */
  readonly admit: (old: KubernetesObject) => Promise<void>;
}

/** The result of a deletion. */
export interface DeleteResult {
  readonly object: KubernetesObject;
  /** Whether the object is gone; otherwise it only began to go. */
  readonly isGone: boolean;
}

/** Deletes a stored object, or marks it where finalizers hold it (registry `Store.Delete`). */
export async function deleteObject(
  machinery: Machinery,
  request: DeletedObject,
): Promise<DeleteResult> {
  const { endpoint, namespace, name } = request;
  const { registry } = machinery;
  let current = await registry.get(endpoint, namespace, name);
  for (;;) {
    if (current === undefined) throw notFound(endpoint.name, name);
    checkPreconditions(request, current.object);
    await request.admit(current.object);
    const attempt = await deleteCurrent(machinery, request, current);
    if ('result' in attempt) return attempt.result;
    current = attempt.current;
  }
}

type Attempt = { readonly result: DeleteResult } | { readonly current: StoredObject | undefined };

async function deleteCurrent(
  { registry, options: { clock } }: Machinery,
  { endpoint, namespace, name, options }: DeletedObject,
  { object, revision }: StoredObject,
): Promise<Attempt> {
  const key = keyOf(endpoint, namespace, name);
  const { isDryRun } = options;
  const before = metadataOf(object);
  const finalizers = finalizersOf(before.finalizers ?? [], options, endpoint);
  const seconds = graceOf(endpoint, object, options);
  const holds = finalizers.length > 0 || holdsItself(endpoint, object) || seconds > 0;
  if (!holds) {
    const told = deletedForm(endpoint, object, timeNow(clock));
    if (isDryRun) return { result: { object: told, isGone: true } };
    const deleted = await registry.delete(endpoint, key, { object: told, expected: revision });
    return deleted.done
      ? { result: { object: deleted.object, isGone: true } }
      : { current: deleted.current };
  }
  const marked = mark(endpoint, object, {
    finalizers,
    seconds,
    at: timeText(clock.now() + seconds * 1000),
    startedAt: timeNow(clock),
  });
  const isSame = marked === object;
  if (isDryRun || isSame) return { result: { object: marked, isGone: false } };
  const written = await registry.put(endpoint, key, { object: marked, expected: revision });
  return written.done
    ? { result: { object: written.object, isGone: false } }
    : { current: written.current };
}

function checkPreconditions(
  { endpoint, name, options }: DeletedObject,
  object: KubernetesObject,
): void {
  const { uid = '', resourceVersion = '' } = metadataOf(object);
  const { group, kind } = endpoint.kind;
  if (options.uid !== undefined && options.uid !== uid) {
    const text = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict({ group, name: kind }, name, text);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    const text = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict({ group, name: kind }, name, text);
  }
}

// The finalizers that the way of deletion asks for (registry `deletionFinalizersForGarbageCollection`).
function finalizersOf(
  before: readonly string[],
  { propagationPolicy, orphanDependents }: DeleteOptions,
  endpoint: Endpoint,
): readonly string[] {
  const orphans =
    orphanDependents ??
    (propagationPolicy === undefined
      ? // The only resource that orphans its dependents by default.
        before.includes('orphan') || isCore(endpoint, 'replicationcontrollers')
      : propagationPolicy === 'Orphan');
  const isForeground =
    orphanDependents === undefined &&
    (propagationPolicy === undefined
      ? before.includes('foregroundDeletion')
      : propagationPolicy === 'Foreground');
  const others = [...before, ...ownFinalizers(endpoint.name, before)].filter(
    (each) => each !== 'orphan' && each !== 'foregroundDeletion',
  );
  if (isCore(endpoint, 'namespaces')) return others;
  if (orphans) return [...others, 'orphan'];
  return isForeground ? [...others, 'foregroundDeletion'] : others;
}

// A definition is kept until its objects are deleted.
function ownFinalizers(
  { group, name }: Endpoint['name'],
  before: readonly string[],
): readonly string[] {
  const isDefinition = group === 'apiextensions.k8s.io' && name === 'customresourcedefinitions';
  return isDefinition && !before.includes(cleanupFinalizer) ? [cleanupFinalizer] : [];
}

// Namespaces have their own finalizers, in their spec, and are always marked before they are deleted.
function holdsItself(endpoint: Endpoint, object: KubernetesObject): boolean {
  if (!isCore(endpoint, 'namespaces')) return false;
  if (!metadataOf(object).deletionTimestamp) return true;
  return memberList(member(object, 'spec'), 'finalizers').length > 0;
}

// Pods on nodes are given time, which only a kubelet ends (core pod strategy `CheckGracefulDelete`).
function graceOf(
  endpoint: Endpoint,
  object: KubernetesObject,
  { gracePeriodSeconds }: DeleteOptions,
): number {
  if (!isCore(endpoint, 'pods')) return 0;
  const spec = member(object, 'spec');
  const phase = member(member(object, 'status'), 'phase');
  if (!member(spec, 'nodeName') || phase === 'Succeeded' || phase === 'Failed') return 0;
  return gracePeriodSeconds ?? Number(member(spec, 'terminationGracePeriodSeconds') ?? 30);
}

// Resources with a time of grace are marked before they go (registry/rest.BeforeDelete).
function deletedForm(endpoint: Endpoint, object: KubernetesObject, at: string): KubernetesObject {
  if (!isCore(endpoint, 'pods')) return object;
  const { generation, deletionTimestamp } = metadataOf(object);
  return withMetadata(object, {
    deletionTimestamp: deletionTimestamp ?? at,
    deletionGracePeriodSeconds: 0,
    ...(deletionTimestamp ? {} : { generation: Number(generation ?? 0) + 1 }),
  });
}

function mark(
  endpoint: Endpoint,
  object: KubernetesObject,
  {
    finalizers,
    seconds,
    at,
    startedAt,
  }: {
    readonly finalizers: readonly string[];
    readonly seconds: number;
    readonly at: string;
    readonly startedAt: string;
  },
): KubernetesObject {
  const before = metadataOf(object);
  const isFirst = !before.deletionTimestamp;
  const own = before.finalizers ?? [];
  const isSameFinalizers =
    own.length === finalizers.length && own.every((each, i) => each === finalizers[i]);
  if (!isFirst && isSameFinalizers) return object;
  const isNamespace = isCore(endpoint, 'namespaces');
  // Definitions are marked without a new generation.
  const isDefinition = endpoint.name.name === 'customresourcedefinitions';
  const marked = withMetadata(object, {
    ...(isFirst ? { deletionTimestamp: at } : {}),
    ...(isFirst && !isNamespace && !isDefinition ? { deletionGracePeriodSeconds: seconds } : {}),
    ...(isFirst && !isDefinition && endpoint.strategy.hasGeneration
      ? { generation: Number(before.generation ?? 0) + 1 }
      : {}),
    finalizers: finalizers.length === 0 ? undefined : finalizers,
  });
  if (isFirst && isDefinition) return withTerminating(marked, startedAt);
  if (!isNamespace) return marked;
  return withMember(marked, 'status', {
    ...memberObject(object, 'status'),
    phase: 'Terminating',
  });
}

function withTerminating(definition: KubernetesObject, at: string): KubernetesObject {
  const conditions = withCondition(conditionsOf(definition), {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: at,
    reason: 'InstanceDeletionPending',
    message:
      'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  });
  return withMember(definition, 'status', { ...memberObject(definition, 'status'), conditions });
}
