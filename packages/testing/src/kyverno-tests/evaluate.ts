import {
  type GroupVersionKind,
  type JsonObject,
  type Labels,
  labelsOf,
  memberObject,
  stringMapOf,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import {
  applyClassic,
  applyCleanup,
  applyDeleting,
  applyGenerating,
  applyImagesToPayload,
  applyImageValidating,
  applyMutating,
  applyNative,
  applyToExisting,
  applyToPayload,
  applyToServiceRequest,
  applyValidating,
  identityOf,
  isNamespaced,
  kindOf,
  type ObjectIdentity,
  type PolicyGivens,
  pluralOf,
  type Response,
  type Result,
  sameIdentity,
} from '@kubeadmit/chain/kyverno-resources';
import { allSteps } from '@kubeadmit/engine/unstable-internal';
import type { CelRequest, Policy } from '@kubeadmit/kyverno';
import type { GenerationPlace } from '@kubeadmit/kyverno/background';
import { findNamespace, type NativePolicy } from '@kubeadmit/kyverno/native';
import type { ManifestObject } from '@kubeadmit/manifest';
import { type LoadedTest, ruleKey, type ServiceRequest } from './load.ts';
import { ruleValues } from './values.ts';

/** A resource of a test, and the results of the policies for it. */
export interface TestResource {
  readonly identity: ObjectIdentity;
  /** Returns the results of the policies for an operation, or for that of the values; evaluated on first use. */
  readonly responses: (operation: string) => readonly Response[];
}

/** An existing object that rules changed: the result of each rule, and the changed object. */
export interface TestTarget {
  readonly identity: ObjectIdentity;
  readonly changes: readonly { readonly result: Result; readonly object: JsonObject }[];
}

/** The target resources of a test that rules changed. */
export function testTargets(
  { targets }: LoadedTest,
  resources: readonly TestResource[],
): readonly TestTarget[] {
  if (targets.length === 0) return [];
  const results = resources.flatMap(({ responses }) =>
    responses('').flatMap((response) => response.results),
  );
  return targets.flatMap((target) => {
    const identity = identityOf(target);
    const changes = results.flatMap((result) =>
      result.target !== undefined && sameIdentity(identityOf(result.target), identity)
        ? [{ result, object: result.target }]
        : [],
    );
    return changes.length === 0 ? [] : [{ identity, changes }];
  });
}

/** The resources of a test, ready to be judged, and its JSON objects. */
export function testResources(loaded: LoadedTest, now: number): readonly TestResource[] {
  const payloads = loaded.payloads.map(({ name, payload }): TestResource => {
    const identity = { apiVersion: '', kind: '', namespace: '', name };
    const all = loaded.policies.cel.map(({ policy }) => policy);
    const policies = all.filter(
      ({ mode, type }) => type === 'Deletion' || (mode === 'JSON' && type !== 'ImageVerify'),
    );
    const verifying = all.filter(({ mode, type }) => mode === 'JSON' && type === 'ImageVerify');
    const { celSources } = loaded;
    return {
      identity,
      responses: () => [
        ...policies.map((policy) => applyToPayload(policy, payload, celSources)),
        ...applyImagesToPayload(verifying, payload, celSources, imageSetting(loaded)),
      ],
    };
  });
  const resources = loaded.resources.map((object): TestResource => {
    const known = new Map<string, readonly Response[]>();
    return {
      identity: identityOf(object),
      responses: (operation) =>
        getOrMake(known, operation, () => evaluate(loaded, object, operation, now)),
    };
  });
  return [
    ...resources,
    ...payloads,
    ...loaded.serviceRequests.map((one) => requestOf(one, loaded)),
  ];
}

/** A request to a service, for which the policies of its mode have results. */
function requestOf(
  { mode, name, request }: ServiceRequest,
  { policies, celSources }: LoadedTest,
): TestResource {
  const asked = policies.unsupported.filter(({ policy }) => policy.mode === mode);
  return {
    identity: { apiVersion: '', kind: '', namespace: '', name },
    responses: () => asked.map(({ policy }) => applyToServiceRequest(policy, request, celSources)),
  };
}

function evaluate(
  loaded: LoadedTest,
  object: JsonObject,
  operation: string,
  now: number,
): readonly Response[] {
  const { native, schemas } = loaded;
  const responses = [...evaluateClassic(loaded, object, operation, now)];
  let current = responses.at(-1)?.object ?? object;
  const askNative = (policy: NativePolicy): Response =>
    applyNative(policy, celRequest(loaded, current, 'CREATE'), loaded, schemas);
  for (const policy of native) {
    if (policy.kind !== 'MutatingAdmissionPolicy') continue;
    const response = askNative(policy);
    if (response.results.length === 0) continue;
    current = response.object ?? current;
    responses.push(response);
  }
  const policies = loaded.policies.cel.map(({ policy }) => policy);
  const mutating = policies.filter(({ type }) => type === 'Mutation');
  if (mutating.length > 0) {
    const said = allSteps(applyMutating(mutating, celRequest(loaded, current, operation), schemas));
    current = said.at(-1)?.object ?? current;
    const trigger = celRequest(loaded, current, operation);
    const targets = loaded.targets.map((target) => ({
      ...celRequest(loaded, target, 'CREATE').attributes,
      operation: '',
    }));
    responses.push(...said, ...applyToExisting(mutating, trigger, targets, schemas));
  }
  const validating = policies.filter(({ type }) => type === 'Validation');
  if (validating.length > 0) {
    const request = celRequest(loaded, current, operation);
    responses.push(...allSteps(applyValidating(validating, request)));
  }
  const verifying = policies.filter(({ type, mode }) => type === 'ImageVerify' && mode !== 'JSON');
  if (verifying.length > 0) {
    const request = celRequest(loaded, current, operation);
    responses.push(...allSteps(applyImageValidating(verifying, request, imageSetting(loaded))));
  }
  for (const policy of native) {
    if (policy.kind !== 'ValidatingAdmissionPolicy') continue;
    responses.push(askNative(policy));
  }
  const generating = policies.filter(({ type }) => type === 'Generation');
  if (generating.length > 0) {
    const request = celRequest(loaded, current, operation);
    responses.push(...applyGenerating(generating, request, placeOf(loaded)));
  }
  // A schedule has no operation.
  const deleting = operation === '' ? policies.filter(({ type }) => type === 'Deletion') : [];
  if (deleting.length > 0) {
    responses.push(...applyDeleting(deleting, deletionRequest(loaded, object)));
  }
  if (operation === '') responses.push(...evaluateCleanup(loaded, object, now));
  return responses;
}

/** The Kyverno CLI applies namespaced policies that verify images to the objects of every namespace. */
function imageSetting({ sources }: LoadedTest) {
  return { verifier: sources.images, ignoresNamespace: true };
}

/** The place where the Kyverno CLI generates objects: with `clusterResources` it prepares them for a cluster. */
function placeOf({ cluster, schemas }: LoadedTest): GenerationPlace {
  return {
    form: cluster === undefined ? 'cli' : 'cli with a cluster',
    isNamespaced: (apiVersion, kind) => isNamespaced(apiVersion, kind, schemas),
  };
}

/** A request with an object as DeletingPolicies see it: a Namespace is in itself. */
function deletionRequest(loaded: LoadedTest, object: JsonObject): CelRequest {
  const request = celRequest(loaded, object, 'CREATE');
  const { kind, name } = request.attributes;
  if (kind.kind !== 'Namespace' || kind.group !== '') return request;
  const { metadata } = object;
  const labels = memberObject(metadata, 'labels');
  const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  return { ...request, namespaceObject: namespaceOf(loaded, name) ?? own };
}

/** Evaluates cleanup policies, which `kyverno apply` runs and `kyverno test` ignores. */
function evaluateCleanup(loaded: LoadedTest, object: JsonObject, now: number): readonly Response[] {
  const { policies, sources } = loaded;
  const namespaceLabels = namespaceLabelsOf(loaded, identityOf(object).namespace);
  const setting = { namespaceLabels, sources, now, includesUnselected: true };
  return applyCleanup(policies.cleanup, object, setting);
}

function namespaceLabelsOf({ values, cluster }: LoadedTest, namespace: string): Labels {
  const labels =
    values.namespaceLabels.get(namespace) ??
    labelsOf(findNamespace(cluster ?? [], namespace) ?? {});
  return stringMapOf(labels);
}

function evaluateClassic(
  loaded: LoadedTest,
  object: JsonObject,
  operation: string,
  now: number,
): readonly Response[] {
  const identity = identityOf(object);
  const { values, policies, user, existing, exceptions, cluster } = loaded;
  const kind = kindOf(identity);
  // A cluster knows its subresources itself.
  const mapped = cluster
    ? undefined
    : values.subresources.find(({ kind: child }) => sameKind(child, kind));
  const setting = {
    kind: mapped?.parent ?? kind,
    subresource: mapped?.subresource ?? '',
    user,
    namespaceLabels: namespaceLabelsOf(loaded, identity.namespace),
    exceptions: exceptions.classic,
    existing,
    isCluster: false,
    now,
  };
  const givens = (policy: Policy): PolicyGivens =>
    givensOf(loaded, policy, identity.name, operation);
  const responses = applyClassic(policies.classic, object, setting, givens);
  const after = responses.at(-1)?.object ?? object;
  const only = { only: 'generate' } as const;
  return [...responses, ...applyClassic(policies.classic, after, setting, givens, only)];
}

/** Creates the request for CEL policies; native ones always see the creation of the object. */
function celRequest(loaded: LoadedTest, object: JsonObject, explicit: string): CelRequest {
  const { celSources, user, values } = loaded;
  const given = explicit || values.globalValues.get('request.operation');
  const operation = operationOf(given);
  const identity = identityOf(object);
  const kind = kindOf(identity);
  const { name, namespace } = identity;
  return {
    attributes: {
      kind,
      resource: {
        group: kind.group,
        version: kind.version,
        resource: pluralOf(identity, loaded.schemas),
      },
      subresource: '',
      name,
      namespace,
      operation,
      user: (user.userInfo ?? {}) as CelRequest['attributes']['user'],
      object: operation === 'DELETE' ? null : (object as ManifestObject),
      oldObject: operation === 'CREATE' ? null : (object as ManifestObject),
      dryRun: false,
      options: null,
    },
    namespaceObject: namespaceOf(loaded, namespace),
    sources: celSources,
  };
}

function namespaceOf({ values }: LoadedTest, name: string): JsonObject | undefined {
  const labels = values.namespaceLabels.get(name);
  return (
    values.namespaces.find((one) => identityOf(one).name === name) ??
    (labels && { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  );
}

/** Returns the values that a test provides for a policy (the Kyverno CLI's `ComputeVariables`). */
function givensOf(
  { values, sources, cloneSources }: LoadedTest,
  policy: Policy,
  resource: string,
  explicit: string,
): PolicyGivens {
  const own = values.policies.filter(({ name }) => name === policy.name);
  const ofResource = own
    .flatMap(({ resources }) => resources)
    .filter((one) => one.name === resource)
    .flatMap((one) => [...one.values]);
  const variables = new Map([...values.globalValues, ...ofResource]);
  if (explicit !== '') variables.set('request.operation', explicit);
  else if (!variables.has('request.operation')) variables.set('request.operation', 'CREATE');
  return {
    operation: operationOf(variables.get('request.operation')),
    variables,
    sources: {
      ...sources,
      valuesOf: (rule) => ruleValues(own, rule),
      clones: (rule) => cloneSources.get(ruleKey(policy, rule)) ?? [],
    },
  };
}

function operationOf(given: unknown): 'CREATE' | 'UPDATE' | 'DELETE' {
  return given === 'UPDATE' || given === 'DELETE' ? given : 'CREATE';
}

function sameKind(left: GroupVersionKind, right: GroupVersionKind): boolean {
  return left.group === right.group && left.version === right.version && left.kind === right.kind;
}
