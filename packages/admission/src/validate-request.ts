import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { RequestAttributes } from '@kubeadmit/engine';
import { allSteps, type Steps } from '@kubeadmit/engine/unstable-internal';
import { requireObject, requirePrepared } from './arguments.ts';
import { type Decision, untouched } from './decision.ts';
import { dispatchValidating } from './dispatch-validating.ts';
import type { ValidatingHook } from './hooks.ts';
import { hooksFor } from './hooks-for.ts';
import { PluginPasses } from './plugin-passes.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { RequestContext } from './request-context.ts';

/**
 * Runs a request through all validating policies, as kube-apiserver's plugin does, and through the admission plugins of
 * the cluster around them.
 *
 * An object from elsewhere, such as the result of a webhook, must be decoded first: pass it in a request to
 * `prepareRequest` and use that result.
 *
 * @param object The current object: the result of `mutateRequest`, or `prepared.attributes.object` if nothing
 * mutates; null if the request has no object
 * @throws TypeError if `prepared` is a `failure` or was not created by `prepareRequest`, or the object is missing
 */
export function validateRequest(
  prepared: PreparedRequest,
  object: KubernetesObject | null,
): Decision {
  requirePrepared('validateRequest', prepared);
  requireObject('validateRequest', object);
  const request = withObject(prepared, object);
  const hooks = validatingHooks(prepared, request);
  if (hooks.length === 0 && prepared.plugins === undefined) return untouched(object);
  return allSteps(validateBy(hooks, prepared, request));
}

/** Does as `validateRequest`, and pauses before each evaluation. */
export function validateInSteps(
  prepared: PreparedRequest,
  object: KubernetesObject | null,
): Steps<Decision> {
  const request = withObject(prepared, object);
  return validateBy(validatingHooks(prepared, request), prepared, request);
}

function* validateBy(
  hooks: readonly ValidatingHook[],
  prepared: PreparedRequest,
  request: RequestAttributes,
): Steps<Decision> {
  const { object } = request;
  const plugins = new PluginPasses(prepared.plugins, 'validate');
  const before = plugins.run('before', request);
  if (before.denial !== undefined)
    return plugins.complete({ ...untouched(object), denial: before.denial });
  const context = hooks.length === 0 ? undefined : new RequestContext(prepared, request);
  const decision =
    context === undefined ? untouched(object) : yield* dispatchValidating(context, hooks);
  if (decision.denial !== undefined) return plugins.complete(decision);
  const { denial } = plugins.run('after', request);
  return plugins.complete(denial === undefined ? decision : { ...decision, denial });
}

function withObject(
  { attributes, isOfClient }: PreparedRequest,
  object: KubernetesObject | null,
): RequestAttributes {
  // The server has generated the name of a new object.
  const isGenerated = isOfClient && attributes.name === '' && object !== null;
  if (isGenerated) return { ...attributes, object, name: metadataString(object, 'name') };
  return object === attributes.object ? attributes : { ...attributes, object };
}

function validatingHooks(
  prepared: PreparedRequest,
  request: RequestAttributes,
): readonly ValidatingHook[] {
  const { plugins } = prepared;
  if (plugins?.set.names.has('ValidatingAdmissionPolicy') === false) return [];
  return hooksFor(prepared, request, ({ validating }) => validating.index);
}
