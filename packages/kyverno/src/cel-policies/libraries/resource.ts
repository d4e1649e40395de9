import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import type { FunctionRow } from '@kubeadmit/cel/declarations';
import { anyType, mapOf, opaqueType, stringType } from '@kubeadmit/cel/types';
import { mapGet, mapKeys, noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { type ContextValue, contextTypes } from './context-value.ts';
import { functionsNamed } from './declare.ts';
import type { CelSources, ResourceQuery } from './sources.ts';

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
  // The leading parameters of functions: version and resource as strings, or the name of a resource.
  const plain = `Resource.(string, string${place}`;
  const named = `Resource.(Name${place}`;
  const labels = 'map<string, string>';
  const list = (...values: readonly Value[]): Value =>
    listResources(readArguments(values, namespace));
  const get = (...values: readonly Value[]): Value => getResource(readArguments(values, namespace));
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
      ['list List', 'resource_list', `${plain}) -> Object`, list],
      ['list List', 'resource_list_labels', `${plain}, ${labels}) -> Object`, list],
      ['list List', 'list_resources_gvr', `${named}) -> Object`, list],
      ['list List', 'list_resources_gvr_labels', `${named}, ${labels}) -> Object`, list],
      ['get Get', 'resource_get', `${plain}, string) -> Object`, get],
      ['get Get', 'resource_get_gvr', `${named}, string) -> Object`, get],
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

/** The parsed arguments of a function. */
interface ReadArguments {
  readonly sources: CelSources;
  readonly query: ResourceQuery;
  /** The argument that is the function's own: labels, or a name. */
  readonly own: Value | undefined;
}

/** Reads arguments; the namespace is one of them, unless functions are in one. */
function readArguments(
  [context, resource, ...others]: readonly Value[],
  namespace: string,
): ReadArguments {
  const [apiVersion, plural, ...rest] =
    resource instanceof ResourceName
      ? [resource.apiVersion, resource.resource, ...others]
      : [resource, ...others];
  const place = namespace === '' ? rest.shift() : namespace;
  const query = { apiVersion, resource: plural, namespace: place } as ResourceQuery;
  return { sources: (context as ContextValue).sources, query, own: rest[0] };
}

function listResources({ sources, query, own }: ReadArguments): Value {
  if (sources.listResources === undefined) return unavailable('failed to list resource');
  const found = sources.listResources({ ...query, labels: own === undefined ? {} : textsOf(own) });
  return 'error' in found
    ? new CelError(`failed to list resource: ${found.error}`)
    : ({ items: found } as Value);
}

function getResource({ sources, query, own }: ReadArguments): Value {
  if (sources.getResource === undefined) return unavailable('failed to get resource');
  return (sources.getResource({ ...query, name: own as string }) ?? null) as Value;
}

function textsOf(map: Value): Readonly<Record<string, string>> {
  const entries = mapKeys(map as never).map((key) => [key, mapGet(map as never, key)] as const);
  return Object.fromEntries(entries) as Record<string, string>;
}

function unavailable(text: string): CelError {
  return new CelError(`${text}: no cluster is given`);
}
