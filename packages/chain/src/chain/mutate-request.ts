import { type Decision, mutateRequest as mutateNatively, plainJson } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type Change, changesInOrder, kyvernoChanges } from '../findings/changes.ts';
import { requireRead } from './arguments.ts';
import { type ChainRequest, readAgain, withObject, withServedOld } from './request.ts';
import { type StepAnswer, stepAnswer, withPolicies } from './step.ts';

/** The result of a chain's mutating policies for a request. */
export interface MutationAnswer extends StepAnswer {
  /** The object as the cluster would hold it; null where the request has none. */
  readonly object: KubernetesObject | null;
  /** The changes of each mutation, in order. */
  readonly changes: readonly Change[];
  /** The object as the first mutating policy received it. */
  readonly before: KubernetesObject | null;
  /** The request with that object, for the next step; or why it cannot be read any more. */
  readonly next: ChainRequest | { readonly failure: string };
}

/**
 * Applies the mutating policies of a chain to a request, in the order of real servers: kube-apiserver's own, then
 * Kyverno's webhook. If native policies deny, Kyverno is evaluated for the unchanged object.
 *
 * @throws TypeError if the argument was not created by `readRequest`.
 */
export function mutateRequest(given: ChainRequest): MutationAnswer {
  requireRead('mutateRequest', given);
  const { chain, request, prepared } = given;
  const native = withPolicies(mutateNatively(prepared), prepared, mutateNatively);
  const before = prepared.attributes.object;
  const held = native.object ?? before;
  const object = held === before ? before : (plainJson(held) as KubernetesObject);
  // If policies deny, the object is unchanged, by plugins too.
  const asked = (native.object === null ? undefined : afterPlugins(native.pluginTrace)) ?? before;
  const received = asked === held ? object : (plainJson(asked) as KubernetesObject | null);
  const { kyverno } = chain;
  const changes = changesInOrder(native.pluginTrace ?? [], native.trace);
  if (kyverno?.mutates !== true || object === null) {
    const next = withObject(given, held);
    return { ...stepAnswer(given, native, undefined), object, before: received, changes, next };
  }
  const mutated = kyverno.mutate(withServedOld(request, given.prepared), object);
  const kyvernos = kyvernoChanges(mutated.findings, object, mutated.object);
  return {
    ...stepAnswer(given, native, mutated),
    object: mutated.object,
    before: received,
    changes: [...changes, ...kyvernos],
    next: readAgain(given, mutated.object),
  };
}

/** Returns the object after the plugins that run before policies; undefined if none changed it. */
function afterPlugins(trace: Decision['pluginTrace'] = []): KubernetesObject | undefined {
  return trace.findLast(({ pass, after }) => pass === 1 && after !== undefined)?.after;
}
