import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { RequestAttributes } from '@kubeadmit/engine';
import { allSteps, type Steps } from '@kubeadmit/engine/unstable-internal';
import { dependsOnObject } from '@kubeadmit/matcher';
import { decode } from '@kubeadmit/schemas';
import { requirePrepared } from './arguments.ts';
import { type Decision, untouched } from './decision.ts';
import { dispatchMutating } from './dispatch-mutating.ts';
import type { MutatingHook } from './hooks.ts';
import { hooksFor } from './hooks-for.ts';
import { PluginPasses } from './plugin-passes.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { Reinvocation } from './reinvocation.ts';
import { RequestContext } from './request-context.ts';
import type { PolicyTrace } from './trace.ts';
import { plainJson } from './write/plain-json.ts';

/**
 * Runs a request through all mutating policies, once more where they ask for it, as kube-apiserver's plugin does.
 *
 * The returned object has the form that it has between the admission plugins of the server: integral doubles are
 * `Double`s, and lists that are null in Go are `nilList`; policies distinguish these from numbers and empty lists.
 * Pass it to `validateRequest` unchanged; `plainJson(object)` returns the form to store and send. It is the object of
 * the prepared request if nothing changed, and null if the request is denied.
 *
 * The admission plugins of the cluster that mutate run around the policies, in each pass.
 *
 * Mutating policies neither warn nor annotate; plugins may.
 *
 * @throws TypeError for a value that `prepareRequest` did not return, or its `failure`
 */
export function mutateRequest(prepared: PreparedRequest): Decision {
  requirePrepared('mutateRequest', prepared);
  const hooks = mutatingHooks(prepared);
  const { attributes, plugins } = prepared;
  if (hooks.length === 0 && plugins === undefined) return untouched(attributes.object);
  return allSteps(mutateBy(hooks, prepared));
}

/** Does as `mutateRequest`, and pauses before each mutation. */
export function mutateInSteps(prepared: PreparedRequest): Steps<Decision> {
  return mutateBy(mutatingHooks(prepared), prepared);
}

function* mutateBy(hooks: readonly MutatingHook[], prepared: PreparedRequest): Steps<Decision> {
  const { attributes } = prepared;
  const plugins = new PluginPasses(prepared.plugins, 'mutate');
  if (hooks.length === 0 && plugins.isEmpty) return untouched(attributes.object);
  const reinvocation = new Reinvocation();
  const trace: PolicyTrace[] = [];
  let request: RequestAttributes = attributes;
  for (const pass of [1, 2] as const) {
    const before = plugins.run('before', request, pass);
    if (before.denial !== undefined) return plugins.complete(refused(before.denial, trace));
    const context = new RequestContext(prepared, before.request);
    const result = yield* dispatchMutating(context, hooks, { pass, reinvocation });
    trace.push(...result.trace);
    if (result.denial !== undefined) return plugins.complete(refused(result.denial, trace));
    const after = plugins.run('after', { ...request, object: result.object }, pass);
    if (after.denial !== undefined) return plugins.complete(refused(after.denial, trace));
    request = after.request;
    if (!reinvocation.requested) break;
    if (plugins.isEmpty && !result.hasErrors && !mayActAgain(hooks, request)) break;
  }
  return plugins.complete({ ...untouched(request.object), trace });
}

function refused(denial: Status, trace: readonly PolicyTrace[]): Decision {
  return { ...untouched(null), denial, trace };
}

/** The result of other mutators that ran between two passes of the policies, as plain JSON. */
export interface MutatedElsewhere {
  readonly object: KubernetesObject | null;
  /** Whether it is another object than they were given, so that policies which ask for it run once more. */
  readonly isChanged: boolean;
}

/**
 * Mutates a request like `mutateRequest`, and runs other mutators after each pass of the policies, as
 * kube-apiserver runs webhooks.
 *
 * A second pass of both follows if either changed the object (apiserver admission/reinvocation.go). The other
 * mutators receive and return the object in its stored and sent form. Their errors are rethrown.
 */
export async function mutateBeside(
  prepared: PreparedRequest,
  others: (object: KubernetesObject | null, pass: 1 | 2) => Promise<MutatedElsewhere>,
): Promise<Decision> {
  const { cluster, attributes, now } = prepared;
  const hooks = mutatingHooks(prepared);
  const plugins = new PluginPasses(prepared.plugins, 'mutate');
  const reinvocation = new Reinvocation();
  const trace: PolicyTrace[] = [];
  let request: RequestAttributes = attributes;
  for (const pass of [1, 2] as const) {
    const before = plugins.run('before', request, pass);
    if (before.denial !== undefined) return plugins.complete(refused(before.denial, trace));
    request = before.request;
    if (hooks.length > 0) {
      const context = new RequestContext(prepared, request);
      const settings = { pass, reinvocation };
      const result = allSteps(dispatchMutating(context, hooks, settings));
      trace.push(...result.trace);
      if (result.denial !== undefined) return plugins.complete(refused(result.denial, trace));
      request = { ...request, object: result.object };
    }
    const plain = request.object && (plainJson(request.object) as KubernetesObject);
    const { object, isChanged } = await others(plain, pass);
    if (isChanged) {
      const { object: held = object } = object
        ? decode(cluster.schemas, object, { now })
        : { object };
      request = { ...request, object: held as KubernetesObject | null };
      reinvocation.request();
    }
    const after = plugins.run('after', request, pass);
    if (after.denial !== undefined) return plugins.complete(refused(after.denial, trace));
    if (!reinvocation.requested) break;
  }
  return plugins.complete({ ...untouched(request.object), trace });
}

function mutatingHooks(prepared: PreparedRequest): readonly MutatingHook[] {
  const { attributes, plugins } = prepared;
  if (attributes.operation === 'DELETE') return [];
  if (plugins?.set.names.has('MutatingAdmissionPolicy') === false) return [];
  return hooksFor(prepared, attributes, ({ mutating }) => mutating.index);
}

// Whether a second pass may do anything: policies ask for it, or say something else of a changed object.
function mayActAgain(hooks: readonly MutatingHook[], request: RequestAttributes): boolean {
  return hooks.some(
    ({ compiled, match, bindings }) =>
      compiled.reinvoke ||
      compiled.matchConditions.length > 0 ||
      dependsOnObject(match, request) ||
      bindings.some((binding) => binding.match && dependsOnObject(binding.match, request)),
  );
}
