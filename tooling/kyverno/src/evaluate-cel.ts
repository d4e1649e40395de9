import { type JsonObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import {
  type CelPolicy,
  type CelRequest,
  type CelResult,
  type CelSources,
  compileCelPolicy,
  mutateRequest,
  validateRequest,
} from '@kubeadmit/kyverno';
import { deletesObject, generateForRequest } from '@kubeadmit/kyverno/background';
import {
  brokenPolicy,
  readCelException,
  toCelValue,
  withDoubles,
} from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';

/** A policy of `policies.kyverno.io`, and the object that it is evaluated for. */
export interface CelCase {
  readonly policy: JsonObject;
  readonly resource: JsonObject;
  /** The plural name of the resource's kind. */
  readonly plural: string;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  /** A known namespace. */
  readonly namespace?: JsonObject;
  /** The objects that expressions find. */
  readonly objects?: readonly { readonly plural: string; readonly object: JsonObject }[];
  readonly exceptions?: readonly JsonObject[];
  /** Whether exceptions apply as in a cluster, and not as in the CLI. */
  readonly admission?: boolean;
}

/** The results of a policy, the objects that it generates, and the object that it changed. */
export interface CelAnswer {
  readonly results: readonly CelResult[];
  readonly generated?: readonly JsonObject[];
  readonly patched?: JsonObject;
  /** Why the policy cannot be evaluated at all. */
  readonly error?: string;
}

/** Evaluates a policy as the Kyverno CLI does, or with the exceptions of a cluster. */
export function evaluateCel(given: CelCase, now: number, schemas: Schemas): CelAnswer {
  const policy = compileCelPolicy(given.policy, {
    clock: () => now,
    ignoresExpiry: given.admission !== true,
    exceptions: (given.exceptions ?? []).map(readCelException),
  });
  const broken = brokenPolicy(policy);
  if (broken !== undefined) return { results: [], error: broken.message };
  const { results, ...made } = evaluate(policy, requestOf(given, policy), schemas);
  // The machine interface has no exceptions in results.
  const said = results.map(({ exceptions: _, ...result }) => ({ rule: '', ...result }));
  return { results: said, ...made };
}

function evaluate(policy: CelPolicy, request: CelRequest, schemas: Schemas): CelAnswer {
  switch (policy.type) {
    case 'Generation': {
      const place = { form: 'cli', isNamespaced: () => true } as const;
      const response = generateForRequest(policy, request, place);
      const { result, generated = [] } = response ?? {};
      const results = result === undefined ? [] : [result];
      return { results, ...(generated.length > 0 && { generated: generated.map(plainObject) }) };
    }
    case 'Deletion': {
      const result = deletesObject(policy, request);
      return { results: result === undefined ? [] : [result] };
    }
    case 'Mutation':
      return mutationOf(policy, request, schemas);
    default:
      return { results: validateRequest(policy, request).flat() };
  }
}

function mutationOf(policy: CelPolicy, request: CelRequest, schemas: Schemas): CelAnswer {
  const responses = mutateRequest(policy, request, schemas);
  const patched = responses.findLast(({ object }) => object !== undefined)?.object;
  const isChanged = patched !== undefined && !deepEqual(patched, request.attributes.object);
  return {
    results: responses.flatMap(({ results }) => results),
    ...(isChanged && { patched: plainObject(patched) }),
  };
}

function plainObject(object: JsonObject): JsonObject {
  return withDoubles(object) as JsonObject;
}

function requestOf(
  { resource, plural, operation, ...given }: CelCase,
  policy: CelPolicy,
): CelRequest {
  const kind = kindOfObject(resource) ?? { group: '', version: '', kind: '' };
  const { group, version } = kind;
  // The CLI holds all numbers as doubles.
  const object = toCelValue(resource) as never;
  const own = metadataString(resource, 'namespace');
  // A Namespace is in itself, for policies that delete.
  const deletes = policy.type === 'Deletion';
  const place = own === '' && deletes ? metadataString(resource, 'name') : own;
  const { namespace, objects = [] } = given;
  const isKnown = namespace !== undefined && metadataString(namespace, 'name') === place;
  const itself = deletes && kind.kind === 'Namespace' ? resource : undefined;
  return {
    attributes: {
      kind,
      resource: { group, version, resource: plural },
      subresource: '',
      name: metadataString(resource, 'name'),
      namespace: own,
      operation: operation ?? 'CREATE',
      user: {},
      object: operation === 'DELETE' ? null : object,
      oldObject: operation === 'UPDATE' || operation === 'DELETE' ? object : null,
      dryRun: false,
      options: null,
    },
    namespaceObject: isKnown ? namespace : itself,
    sources: sourcesOf(objects),
  };
}

function sourcesOf(objects: NonNullable<CelCase['objects']>): CelSources {
  const named = (query: { readonly resource: string; readonly namespace: string }) =>
    objects
      .filter((each) => each.plural === query.resource)
      .map((each) => each.object)
      .filter((each) => metadataString(each, 'namespace') === query.namespace);
  return {
    getResource: (query) =>
      named(query).find((each) => metadataString(each, 'name') === query.name),
    listResources: (query) =>
      objects.length === 0 ? { error: `${query.resource} resource not found` } : named(query),
    globalContext: () => ({ data: null }),
  };
}
