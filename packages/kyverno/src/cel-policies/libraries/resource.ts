import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import {
  anyType,
  type FunctionRow,
  mapGet,
  mapKeys,
  mapOf,
  noOverload,
  OpaqueValue,
  opaqueType,
  stringType,
} from '@kubeadmit/cel/internal';
import { type ContextValue, contextTypes } from './context-value.ts';
import { functionsNamed } from './declare.ts';

/** The type of objects of the cluster. */
export const resourceObjectType: Type = mapOf(stringType, anyType);
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
    if (!(other instanceof ResourceName)) return noOverload();
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
  const place = namespace === '' ? ', string' : '';
  // What functions take before parameters of their own: version and resource as texts, or the name of a resource.
  const plain = `Resource.(string, string${place}`;
  const named = `Resource.(Name${place}`;
  const labels = 'map<string, string>';
  const { list, get } = readers(namespace);
  const post = (): Value => unavailable('failed to create resource');
  // With a namespace or, for policies of the cluster, without.
  const ofCluster: FunctionRow = [
    'post Post',
    'resource_post_cluster',
    'Resource.(string, string, Object) -> Object',
    post,
  ];
  const functions = functionsNamed(
    [
      ['list List', 'resource_list', `${plain}) -> Object`, (...values) => list(values, undefined)],
      [
        'list List',
        'resource_list_labels',
        `${plain}, ${labels}) -> Object`,
        (...values) => list(values, values.at(-1)),
      ],
      [
        'list List',
        'list_resources_gvr',
        `${named}) -> Object`,
        (...values) => list(spread(values), undefined),
      ],
      [
        'list List',
        'list_resources_gvr_labels',
        `${named}, ${labels}) -> Object`,
        (...values) => list(spread(values), values.at(-1)),
      ],
      ['get Get', 'resource_get', `${plain}, string) -> Object`, (...values) => get(values)],
      [
        'get Get',
        'resource_get_gvr',
        `${named}, string) -> Object`,
        (...values) => get(spread(values)),
      ],
      ['post Post', 'resource_post', `${plain}, Object) -> Object`, post],
      ...(namespace === '' ? [ofCluster] : []),
      [
        'toGVR ToGVR',
        'convert_to_gvr',
        'Resource.(string, string) -> Name',
        () => unavailable('failed to map kind to resource'),
      ],
    ],
    { Resource: resource, Name: resourceNameType, Object: resourceObjectType },
  );
  return { name: 'kyverno.resource', functions, types: [resource, resourceNameType] };
}

/** How functions read that take a namespace, or are in one. */
function readers(own: string) {
  const namespaceOf = ([given]: readonly Value[]): string => (own === '' ? (given as string) : own);
  const list = (
    [context, apiVersion, plural, ...rest]: readonly Value[],
    labels: Value | undefined,
  ): Value =>
    listResources(
      context as ContextValue,
      apiVersion as string,
      plural as string,
      namespaceOf(rest),
      labels,
    );
  const get = ([context, apiVersion, plural, ...rest]: readonly Value[]): Value =>
    getResource(
      context as ContextValue,
      apiVersion as string,
      plural as string,
      namespaceOf(rest),
      rest.at(-1) as string,
    );
  return { list, get };
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
