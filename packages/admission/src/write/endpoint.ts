import { formatGroupName, type GroupName, type GroupVersionKind } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { policyGroup } from '@kubeadmit/engine';
import {
  findResource,
  listResources,
  preferredVersion,
  type Resource,
  type Schemas,
  type Subresource,
} from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { builtinStrategy, customStrategy, type Strategy } from './strategy.ts';

/** A resource or subresource that requests go to. */
export interface Endpoint {
  /** The resource, in the version of the URL. */
  readonly resource: Resource;
  /** Absent for the resource itself. */
  readonly subresource?: Subresource | undefined;
  /** The kind of the objects of the resource, in the version of the URL. */
  readonly kind: GroupVersionKind;
  /** The kind in the version in which objects are stored. */
  readonly stored: GroupVersionKind;
  /** The group and the plural name, as in texts. */
  readonly name: GroupName;
  /** Whether a CustomResourceDefinition defines the resource. */
  readonly isCustom: boolean;
  /** The fields that the server sets and keeps in its objects. */
  readonly strategy: Strategy;
  /** The start of the keys of the resource in the store, with a slash at its end. */
  readonly keyPrefix: string;
}

/** Finds the endpoint of a resource or subresource; undefined if it is not served. */
export function findEndpoint(
  schemas: Schemas,
  named: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
  },
): Endpoint | undefined {
  const resource = findResource(schemas, named);
  if (resource === undefined || !isServed(resource)) return undefined;
  const subresource = resource.subresources.find(({ name }) => name === named.subresource);
  if (named.subresource !== '' && subresource === undefined) return undefined;
  return { ...endpointOf(schemas, resource), subresource };
}

/**
 * Whether a resource is served.
 *
 * Stable versions are served. Of the other versions only those of policies are, which kube-apiserver serves if
 * configured to.
 */
export function isServed({ group, version, definition }: Resource): boolean {
  if (definition !== undefined || !/alpha|beta/.test(version)) return true;
  return group === policyGroup;
}

const endpoints = new WeakMap<Resource, Endpoint>();

/** Returns the endpoint of a resource without a subresource; memoized. */
export function endpointOf(schemas: Schemas, resource: Resource): Endpoint {
  return getOrMake(endpoints, resource, () => {
    const { group, version, kind } = resource;
    const isCustom = resource.definition !== undefined;
    const name = { group, name: resource.resource };
    const qualified = formatGroupName(name);
    const storeName = storeNames[qualified] ?? resource.resource;
    const hasStatus = resource.subresources.some((subresource) => subresource.name === 'status');
    return {
      resource,
      kind: { group, version, kind },
      stored: storedKind(schemas, resource),
      name,
      isCustom,
      strategy: isCustom
        ? customStrategy(hasStatus, selectableFields(schemas, resource))
        : builtinStrategy(qualified, hasStatus, schemas.minor),
      keyPrefix: `/registry/${isCustom || keptGroups.has(group) ? `${group}/` : ''}${storeName}/`,
    };
  });
}

function selectableFields(schemas: Schemas, resource: Resource): readonly string[] {
  const fields = findDefinition(schemas, resource)?.version?.selectableFields ?? [];
  return fields.map((path) => path.replace(/^\./, ''));
}

const keptGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Names under which kube-apiserver keeps some resources in etcd (kubeapiserver `SpecialDefaultResourcePrefixes`). */
const storeNames: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'ingresses.networking.k8s.io': 'ingress',
};

// Events of both groups are one resource, kept as those of the core group.
function storedKind(schemas: Schemas, resource: Resource): GroupVersionKind {
  const { group, kind } = resource;
  if (resource.definition !== undefined) {
    const definition = findDefinition(schemas, resource)?.definition;
    const version = definition?.versions.find(({ storage }) => storage)?.name;
    return { group, version: version ?? resource.version, kind };
  }
  if (group === 'events.k8s.io') return { group: '', version: 'v1', kind: 'Event' };
  const preferred = preferredVersion(schemas, group);
  const inPreferred =
    preferred !== undefined &&
    findResource(schemas, { group, version: preferred, resource: resource.resource });
  if (inPreferred) return { group, version: preferred, kind };
  const first = listResources(schemas).find(
    (other) => other.group === group && other.resource === resource.resource,
  );
  return { group, version: first?.version ?? resource.version, kind };
}

/**
 * Returns an endpoint in the version in which its objects are stored. Strategies and validation use this version,
 * whatever the version of a request is. Two exceptions keep the version of the request: custom resources, which are
 * validated in it, and events, whose two groups have different required fields.
 */
export function storedEndpoint(endpoint: Endpoint): Endpoint {
  const { isCustom, kind, stored } = endpoint;
  if (isCustom || kind.group !== stored.group || kind.version === stored.version) return endpoint;
  return { ...endpoint, kind: stored };
}

/** Whether an endpoint belongs to a resource of the core group. */
export function isCore(
  { name: { group, name } }: Pick<Endpoint, 'name'>,
  resource: string,
): boolean {
  return group === '' && name === resource;
}
