import {
  CelError,
  type FunctionDeclaration,
  type Library,
  type Type,
  type Value,
} from '@kubeadmit/cel';
import {
  anyType,
  mapGet,
  mapKeys,
  mapOf,
  OpaqueValue,
  opaqueType,
  stringType,
} from '@kubeadmit/cel/internal';
import { type ContextValue, contextTypes } from './context-value.ts';
import { membersNamed } from './declare.ts';

/** The type of objects of the cluster. */
export const resourceObjectType: Type = mapOf(stringType, anyType);
const labelsType = mapOf(stringType, stringType);
const resourceNameType = opaqueType('schema.GroupVersionResource');

/** The result of `resource.toGVR`. */
class ResourceName extends OpaqueValue {
  readonly goType: string = '*schema.GroupVersionResource';
  readonly apiVersion: string;
  readonly resource: string;

  constructor(apiVersion: string, resource: string) {
    super();
    this.apiVersion = apiVersion;
    this.resource = resource;
  }

  get type(): Type {
    return resourceNameType;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof ResourceName)) return new CelError('no such overload');
    return other.apiVersion === this.apiVersion && other.resource === this.resource;
  }
}

/**
 * Objects of the cluster (Kyverno's `kyverno.resource`); with a namespace, of that namespace only and
 * without the parameter for it.
 *
 * - `resource.get("v1", "configmaps", "default", "limits")` is the object, or null.
 * - `resource.list("v1", "pods", "default").items` are the objects.
 */
export function resourceLibrary(namespace: string): Library {
  const { resource } = contextTypes;
  const place: readonly Type[] = namespace === '' ? [stringType] : [];
  const signatures: Signatures = {
    namespace,
    plain: [resource, stringType, stringType, ...place],
    byName: [resource, resourceNameType, ...place],
  };
  const functions: readonly FunctionDeclaration[] = [
    ...listFunctions(signatures),
    ...getFunctions(signatures),
    ...postFunctions(signatures),
    ...membersNamed(['toGVR', 'ToGVR'], {
      id: 'convert_to_gvr',
      parameters: [resource, stringType, stringType],
      result: resourceNameType,
      evaluate: () => unavailable('failed to map kind to resource'),
    }),
  ];
  return { name: 'kyverno.resource', functions, types: [resource, resourceNameType] };
}

/** What functions take before parameters of their own. */
interface Signatures {
  /** That of the policy; empty where the functions take one. */
  readonly namespace: string;
  /** Version and resource as texts. */
  readonly plain: readonly Type[];
  /** The name of a resource. */
  readonly byName: readonly Type[];
}

function listFunctions({ namespace, plain, byName }: Signatures): readonly FunctionDeclaration[] {
  const list = (
    [context, apiVersion, plural, ...rest]: readonly Value[],
    labels: Value | undefined,
  ): Value =>
    listResources(
      context as ContextValue,
      apiVersion as string,
      plural as string,
      namespace === '' ? (rest[0] as string) : namespace,
      labels,
    );
  const result = resourceObjectType;
  return membersNamed(
    ['list', 'List'],
    {
      id: 'resource_list',
      parameters: plain,
      result,
      evaluate: (...values) => list(values, undefined),
    },
    {
      id: 'resource_list_labels',
      parameters: [...plain, labelsType],
      result,
      evaluate: (...values) => list(values, values.at(-1)),
    },
    {
      id: 'list_resources_gvr',
      parameters: byName,
      result,
      evaluate: (...values) => list(spread(values), undefined),
    },
    {
      id: 'list_resources_gvr_labels',
      parameters: [...byName, labelsType],
      result,
      evaluate: (...values) => list(spread(values), values.at(-1)),
    },
  );
}

function getFunctions({ namespace, plain, byName }: Signatures): readonly FunctionDeclaration[] {
  const get = ([context, apiVersion, plural, ...rest]: readonly Value[]): Value =>
    getResource(
      context as ContextValue,
      apiVersion as string,
      plural as string,
      namespace === '' ? (rest[0] as string) : namespace,
      rest.at(-1) as string,
    );
  const result = resourceObjectType;
  return membersNamed(
    ['get', 'Get'],
    {
      id: 'resource_get',
      parameters: [...plain, stringType],
      result,
      evaluate: (...values) => get(values),
    },
    {
      id: 'resource_get_gvr',
      parameters: [...byName, stringType],
      result,
      evaluate: (...values) => get(spread(values)),
    },
  );
}

/** With a namespace or, for policies of the cluster, without. */
function postFunctions({ namespace, plain }: Signatures): readonly FunctionDeclaration[] {
  const posting = (id: string, parameters: readonly Type[]) => ({
    id,
    parameters: [...parameters, resourceObjectType],
    result: resourceObjectType,
    evaluate: () => unavailable('failed to create resource'),
  });
  const ofCluster = posting('resource_post_cluster', plain.slice(0, 3));
  return membersNamed(
    ['post', 'Post'],
    posting('resource_post', plain),
    ...(namespace === '' ? [ofCluster] : []),
  );
}

/** The arguments with the name of a resource in its two parts. */
function spread([context, name, ...rest]: readonly Value[]): readonly Value[] {
  const { apiVersion, resource } = name as ResourceName;
  return [context ?? null, apiVersion, resource, ...rest];
}

function listResources(
  { sources }: ContextValue,
  apiVersion: string,
  resource: string,
  namespace: string,
  given: Value | undefined,
): Value {
  if (sources.listResources === undefined) return unavailable('failed to list resource');
  const labels = given === undefined ? {} : textsOf(given);
  const found = sources.listResources({ apiVersion, resource, namespace, labels });
  return 'error' in found
    ? new CelError(`failed to list resource: ${found.error}`)
    : ({ items: found } as Value);
}

function getResource(
  { sources }: ContextValue,
  apiVersion: string,
  resource: string,
  namespace: string,
  name: string,
): Value {
  if (sources.getResource === undefined) return unavailable('failed to get resource');
  return (sources.getResource({ apiVersion, resource, namespace, name }) ?? null) as Value;
}

function textsOf(map: Value): Readonly<Record<string, string>> {
  const entries = mapKeys(map as never).map((key) => [key, mapGet(map as never, key)] as const);
  return Object.fromEntries(entries) as Record<string, string>;
}

function unavailable(text: string): CelError {
  return new CelError(`${text}: no cluster is given`);
}
