import {
  type JsonObject,
  type KubernetesObject,
  kindOfObject,
  memberObject,
  memberText,
  objectOf,
} from '@kubeadmit/apimachinery';
import { requireArgument } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import {
  type AdmissionRequest,
  type CompiledValidatingPolicy,
  evaluateValidatingPolicy,
  readAttributes,
} from '@kubeadmit/engine';
import { type Bindings, requestValue } from '@kubeadmit/engine/unstable-internal';
import { compareText } from '@kubeadmit/go';
import { isMatched, MatchProblem } from './match.ts';

/** A request for constraints, with the known namespaces by name. */
export interface ReviewedRequest {
  /** The request as the policies see it. */
  readonly request: AdmissionRequest;
  /** Namespaces by name. */
  readonly namespaces: ReadonlyMap<string, JsonObject>;
}

/** The request that gator makes of an object: one without an operation. */
export function requestOfObject(object: JsonObject): AdmissionRequest {
  requireArgument('requestOfObject', object, { what: 'an object of Kubernetes' });
  const metadata = memberObject(object, 'metadata');
  const kind = kindOfObject(object);
  return {
    ...(kind === undefined ? {} : { kind }),
    object: object as unknown as KubernetesObject,
    name: memberText(metadata, 'name'),
    namespace: memberText(metadata, 'namespace'),
  };
}

/** A constraint with the compiled code of its template. */
export interface ReviewedConstraint {
  readonly constraint: JsonObject;
  readonly operations: readonly string[];
  readonly compiled: CompiledValidatingPolicy;
}

/**
 * The messages of a constraint's violations (gatekeeper, `pkg/drivers/k8scel`): of validations, of errors that the
 * failure policy does not ignore, and of a match that cannot be decided; in the order of their texts.
 */
export function reviewRequest(
  { constraint, operations, compiled }: ReviewedConstraint,
  { request, namespaces }: ReviewedRequest,
): readonly string[] {
  const { operation = '', namespace = '', oldObject } = request;
  if (operations.length > 0 && !operations.includes('*') && !operations.includes(operation)) {
    return [];
  }
  // Gatekeeper matches the deleted object, but expressions see it only as the old object.
  const isDeletion = operation === 'DELETE';
  const object = isDeletion ? oldObject : request.object;
  try {
    const match = memberObject(memberObject(constraint, 'spec'), 'match');
    const isConcerned = [object, oldObject].some(
      (each) => each != null && isMatchedNamed(match, objectOf(each), namespaces.get(namespace)),
    );
    if (!isConcerned) return [];
  } catch (problem) {
    if (!(problem instanceof MatchProblem)) throw problem;
    return [problem.message];
  }
  const bindings = bindingsOf(isDeletion ? { ...request, object: null } : request, constraint);
  const { decisions } = evaluateValidatingPolicy(compiled, {
    conditions: bindings,
    validations: bindings,
    messages: bindings,
    auditAnnotations: bindings,
  });
  const messages = decisions.flatMap(({ action, message }) => (action === 'deny' ? [message] : []));
  return messages.sort(compareText);
}

function isMatchedNamed(
  match: JsonObject,
  object: JsonObject,
  namespace: JsonObject | undefined,
): boolean {
  try {
    return isMatched(match, { object, namespace });
  } catch (problem) {
    if (!(problem instanceof MatchProblem)) throw problem;
    const name = memberText(memberObject(object, 'metadata'), 'name');
    throw new MatchProblem(
      `unable to match constraints: error matching the requested object: ${name} :failed to run Match criteria: ${problem.message}`,
    );
  }
}

function bindingsOf(request: AdmissionRequest, constraint: JsonObject): Bindings {
  const attributes = readAttributes(request);
  const { kind, resource, object, oldObject } = attributes;
  return {
    object: object as Value,
    oldObject: oldObject as Value,
    params: constraint as Value,
    request: requestValue(attributes, { kind, resource }),
    namespaceObject: null,
  };
}
