import {
  compileLabelSelector,
  type JsonObject,
  labelsOf,
  metadataString,
} from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import {
  type CompiledMutatingPolicy,
  type CompiledValidatingPolicy,
  compileMutatingPolicy,
  compileValidatingPolicy,
  evaluateMutation,
  evaluateValidatingPolicy,
  type MatchResources,
  type MutatingSpec,
  newestMinor,
  type ValidatingSpec,
} from '@kubeadmit/engine';
import {
  type Bindings,
  type ConditionsResult,
  evaluateMatchConditions,
  PolicyCompilers,
} from '@kubeadmit/engine/unstable-internal';
import { type CompiledMatch, compileMatch } from '@kubeadmit/matcher';
import type { Schemas } from '@kubeadmit/schemas';
import { orValueLibrary } from '../cel/or-value.ts';
import { field, metadataText, objectField, objectsField, stringField } from '../fields/fields.ts';
import { patchObject } from './patch.ts';
import { type CelRequest, type CelResult, matchesConstraints, requestBindings } from './request.ts';

/** A ValidatingAdmissionPolicy or MutatingAdmissionPolicy as the Kyverno CLI takes it. */
export interface NativePolicy {
  /** The name of the policy. */
  readonly name: string;
  /** `ValidatingAdmissionPolicy` or `MutatingAdmissionPolicy`. */
  readonly kind: string;
  /** The compiled match constraints. */
  readonly match: CompiledMatch;
  /** The compiled expressions. */
  readonly compiled:
    | { readonly type: 'Validation'; readonly policy: CompiledValidatingPolicy }
    | { readonly type: 'Mutation'; readonly policy: CompiledMutatingPolicy };
  /** `spec.paramKind`; undefined if the policy has no parameters. */
  readonly paramKind: JsonObject | undefined;
  /** The bindings of the policy. */
  readonly bindings: readonly NativeBinding[];
}

/** The objects among which bindings find their parameters. */
export interface NativeObjects {
  /** Parameters that are given in addition to the objects to evaluate. */
  readonly params: readonly JsonObject[];
  /** The objects of a cluster: bindings find namespaces and parameters there instead of in the inputs. */
  readonly cluster: readonly JsonObject[] | undefined;
}

/** A binding of a native policy; a policy without any is as if it was bound to everything. */
interface NativeBinding {
  readonly match: CompiledMatch | undefined;
  readonly paramRef: JsonObject | undefined;
}

/** The result of a native policy for a request, and the object afterwards. */
export interface NativeResponse {
  /** Undefined where the policy does not concern the request. */
  readonly result: CelResult | undefined;
  readonly object: JsonObject;
}

const sharedCompilers = lazily(() => new PolicyCompilers(newestMinor, [orValueLibrary]));

/** Whether a kind is that of a native policy. */
export function isNativeKind(kind: string): boolean {
  return kind === 'ValidatingAdmissionPolicy' || kind === 'MutatingAdmissionPolicy';
}

/**
 * Reads a native policy and its bindings. The policy is not validated as on a server, which the Kyverno CLI does not
 * do either.
 */
export function readNativePolicy(
  source: JsonObject,
  bindings: readonly JsonObject[],
): NativePolicy {
  const kind = stringField(source, 'kind');
  const name = metadataText(source, 'name');
  const spec = objectField(source, 'spec') ?? {};
  const own = bindings
    .filter((binding) => stringField(binding, 'kind') === `${kind}Binding`)
    .map((binding) => objectField(binding, 'spec') ?? {})
    .filter((binding) => stringField(binding, 'policyName') === name);
  const compiler = sharedCompilers().composing();
  return {
    name,
    kind,
    match: readMatch(objectField(spec, 'matchConstraints') ?? {}),
    compiled:
      kind === 'MutatingAdmissionPolicy'
        ? { type: 'Mutation', policy: compileMutatingPolicy(spec as MutatingSpec, compiler) }
        : { type: 'Validation', policy: compileValidatingPolicy(spec as ValidatingSpec, compiler) },
    paramKind: objectField(spec, 'paramKind'),
    bindings: own.map((binding) => {
      const match = objectField(binding, 'matchResources');
      return { match: match && readMatch(match), paramRef: objectField(binding, 'paramRef') };
    }),
  };
}

/** Rules without operations are about all of them. */
function readMatch(match: JsonObject): CompiledMatch {
  const resourceRules = objectsField(match, 'resourceRules').map((rule) =>
    field(rule, 'operations') === undefined ? { ...rule, operations: ['*'] } : rule,
  );
  return compileMatch({ ...(match as MatchResources), resourceRules, matchPolicy: 'Exact' });
}

/**
 * Applies a native policy to a request; of several bindings the last one decides. As in the Kyverno CLI, a bound
 * policy is evaluated for everything that its bindings select, whatever its own constraints are, unless there is a
 * cluster.
 */
export function askNativePolicy(
  policy: NativePolicy,
  request: CelRequest,
  { params, cluster }: NativeObjects,
  schemas: Schemas,
): NativeResponse {
  let object = (request.attributes.object ?? {}) as JsonObject;
  let result: CelResult | undefined;
  const { bindings, compiled, paramKind } = policy;
  const isBound = bindings.length > 0;
  const asked = isBound && cluster !== undefined ? withHeldNamespace(request, cluster) : request;
  const isConstrained = !isBound || cluster !== undefined;
  if (asked === undefined || (isConstrained && matchesConstraints(policy.match, asked) !== true)) {
    return { result, object };
  }
  for (const { match, paramRef } of isBound ? bindings : [noBinding]) {
    if (match !== undefined && matchesConstraints(match, asked) !== true) continue;
    const found = paramsFor(paramRef, paramKind, { params, cluster });
    if (!('params' in found)) return { result: found.result ?? result, object };
    const current = { ...asked, attributes: { ...asked.attributes, object: object as never } };
    const values: Bindings = {
      ...requestBindings(current),
      ...(paramKind !== undefined && { params: found.params }),
    };
    if (compiled.type === 'Validation') {
      result = validate(compiled.policy, values);
      continue;
    }
    const mutation = mutate(compiled.policy, values, current, schemas);
    result = mutation.result;
    object = mutation.object;
  }
  return { result, object };
}

const noBinding: NativeBinding = { match: undefined, paramRef: undefined };

/** The request with its namespace as the cluster holds it; undefined where it holds none. */
function withHeldNamespace(
  request: CelRequest,
  cluster: readonly JsonObject[],
): CelRequest | undefined {
  const { kind, namespace } = request.attributes;
  if (namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return request;
  const held = findNamespace(cluster, namespace);
  return held && { ...request, namespaceObject: held };
}

/** The Namespace with a name among objects. */
export function findNamespace(
  objects: readonly JsonObject[],
  name: string,
): JsonObject | undefined {
  return objects.find(
    (object) =>
      stringField(object, 'apiVersion') === 'v1' &&
      stringField(object, 'kind') === 'Namespace' &&
      metadataString(object, 'name') === name,
  );
}

/**
 * The parameters that a binding selects, or the result of a policy that cannot be evaluated; `undefined` to
 * evaluate it without parameters.
 */
type FoundParams = { readonly params: Value } | { readonly result: CelResult | undefined };

function paramsFor(
  paramRef: JsonObject | undefined,
  paramKind: JsonObject | undefined,
  { params, cluster }: NativeObjects,
): FoundParams {
  if (paramRef === undefined) return { params: null };
  if (cluster === undefined) return { params: givenParams(paramRef, params) };
  return heldParams(paramRef, paramKind ?? {}, cluster);
}

/**
 * The parameter of a cluster that a binding names, or those that it selects. The cluster of a test takes all kinds of
 * parameters for kinds without namespaces.
 */
function heldParams(
  paramRef: JsonObject,
  paramKind: JsonObject,
  cluster: readonly JsonObject[],
): FoundParams {
  const name = stringField(paramRef, 'name');
  const { matches } = compileLabelSelector(objectField(paramRef, 'selector') ?? {});
  const items = cluster.filter(
    (object) =>
      stringField(paramRef, 'namespace') === '' &&
      stringField(object, 'apiVersion') === stringField(paramKind, 'apiVersion') &&
      stringField(object, 'kind') === stringField(paramKind, 'kind') &&
      (name === ''
        ? matches(labelsOf(object))
        : metadataString(object, 'name') === name && metadataString(object, 'namespace') === ''),
  );
  if (items.length > 0) return { params: (items.length > 1 ? { items } : items[0]) as Value };
  const isMissed = name !== '' || stringField(paramRef, 'parameterNotFoundAction') === 'Deny';
  if (isMissed) return { result: undefined };
  // The Kyverno CLI panics.
  return { result: { status: 'error', message: 'the binding selects no parameter' } };
}

/** The given parameter that a binding names, or a list of those that it selects. */
function givenParams(paramRef: JsonObject, params: readonly JsonObject[]): Value {
  const selector = objectField(paramRef, 'selector');
  if (selector !== undefined) {
    const { matches } = compileLabelSelector(selector);
    const items = params.filter((param) => matches(labelsOf(param)));
    return items.length === 0 ? null : ({ items } as Value);
  }
  const name = stringField(paramRef, 'name');
  const namespace = stringField(paramRef, 'namespace');
  const found = params.find(
    (param) =>
      (name === '' || metadataText(param, 'name') === name) &&
      (namespace === '' || metadataText(param, 'namespace') === namespace),
  );
  return (found ?? null) as Value;
}

function validate(policy: CompiledValidatingPolicy, values: Bindings): CelResult {
  const { conditions, decisions } = evaluateValidatingPolicy(policy, {
    conditions: values,
    validations: values,
    messages: values,
    auditAnnotations: values,
  });
  const unmet = unmetConditions(conditions);
  if (unmet !== undefined) return unmet;
  for (const { evaluation, action, message } of decisions) {
    if (evaluation === 'error') return { status: 'error', message };
    if (action === 'deny') return { status: 'fail', message };
  }
  return { status: 'pass', message: '' };
}

function mutate(
  policy: CompiledMutatingPolicy,
  values: Bindings,
  { attributes }: CelRequest,
  schemas: Schemas,
): { readonly result: CelResult; readonly object: JsonObject } {
  let object = (attributes.object ?? {}) as JsonObject;
  const { matchConditions, variables, failurePolicy } = policy;
  const unmet = unmetConditions(
    evaluateMatchConditions(matchConditions, values, variables, failurePolicy),
  );
  if (unmet !== undefined) return { result: unmet, object };
  for (const mutation of policy.mutations) {
    const evaluated = evaluateMutation(mutation, { ...values, object: object as Value }, variables);
    const made =
      evaluated.error === undefined
        ? patchObject(mutation.patchType, evaluated.value, object, attributes.kind, schemas)
        : evaluated.error;
    if (typeof made === 'string') return { result: { status: 'error', message: made }, object };
    object = made;
  }
  return { result: { status: 'pass', message: 'mutation is successfully applied' }, object };
}

function unmetConditions(conditions: ConditionsResult): CelResult | undefined {
  if (conditions.outcome === 'match') return undefined;
  if (conditions.outcome === 'error') return { status: 'error', message: conditions.message };
  return { status: 'skip', message: "match conditions aren't met" };
}
