import { formatGroupVersion, type KubernetesObject } from '@kubeadmit/apimachinery';
import { compareText, encodeBase64, encodeUtf8 } from '@kubeadmit/go';
import type { Resource, Schemas, Subresource } from '@kubeadmit/schemas';
import { sha256 } from '@noble/hashes/sha2.js';
import { endpointOf } from '../kinds/endpoint.ts';
import { type ServedGroup, servedGroups } from './served-groups.ts';

const customVerbs = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

/** `/api` (meta/v1 APIVersions). */
export function apiVersions(address: string): KubernetesObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `/apis` (meta/v1 APIGroupList). */
export function groupList(schemas: Schemas): KubernetesObject {
  const groups = servedGroups(schemas).filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

/** `/apis/GROUP` (meta/v1 APIGroup); undefined for an unknown one. */
export function groupDocument(schemas: Schemas, name: string): KubernetesObject | undefined {
  const group = servedGroups(schemas).find((each) => each.name === name && name !== '');
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

function groupEntry({ name, versions }: ServedGroup): KubernetesObject {
  const entries = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

/** `/api/v1`, `/apis/GROUP/VERSION` (meta/v1 APIResourceList); undefined for an unknown one. */
export function resourceList(
  schemas: Schemas,
  group: string,
  version: string,
): KubernetesObject | undefined {
  const served = servedGroups(schemas)
    .find(({ name }) => name === group)
    ?.versions.find((each) => each.version === version);
  if (served === undefined) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: formatGroupVersion({ group, version }),
    resources: served.resources.flatMap((resource) => [
      resourceEntry(schemas, resource),
      ...subresourcesOf(resource).map((subresource) => subresourceEntry(resource, subresource)),
    ]),
  };
}

/** Resources that kube-apiserver keeps in another version than the one it prefers to serve. */
const keptVersions: Readonly<Record<string, string>> = {
  'customresourcedefinitions.apiextensions.k8s.io': 'v1beta1',
  'clustertrustbundles.certificates.k8s.io': 'v1beta1',
  'podcertificaterequests.certificates.k8s.io': 'v1beta1',
  'devicetaintrules.resource.k8s.io': 'v1beta2',
  'storageversionmigrations.storagemigration.k8s.io': 'v1beta1',
};

function hashedVersion({ group, resource }: Resource, version: string): string {
  return keptVersions[`${resource}.${group}`] ?? version;
}

/** The verbs of a resource in discovery's order. */
function verbsOf({ definition, verbs }: Resource): readonly string[] {
  return definition === undefined ? verbs : customVerbs;
}

// Those of definitions come in the order of the definition, those of built-in resources by their names.
function subresourcesOf({ definition, subresources }: Resource): readonly Subresource[] {
  if (definition !== undefined) return subresources;
  return [...subresources].sort((a, b) => compareText(a.name, b.name));
}

function resourceEntry(schemas: Schemas, resource: Resource): KubernetesObject {
  const { stored } = endpointOf(schemas, resource);
  const { shortNames, categories } = resource;
  const isStored = verbsOf(resource).includes('watch');
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: verbsOf(resource),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(isStored
      ? {
          storageVersionHash: storageVersionHash(
            stored.group,
            hashedVersion(resource, stored.version),
            stored.kind,
          ),
        }
      : {}),
  };
}

function subresourceEntry(
  resource: Resource,
  { name, group, version, kind, verbs }: Subresource,
): KubernetesObject {
  const isOther = group !== resource.group || version !== resource.version;
  return {
    name: `${resource.resource}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(isOther ? { group, version } : {}),
    kind,
    verbs,
  };
}

/** `/api` and `/apis` in one document (apidiscovery.k8s.io/v2 APIGroupDiscoveryList). */
export function aggregatedDocument(schemas: Schemas, isCore: boolean): KubernetesObject {
  const groups = servedGroups(schemas).filter(({ name }) => (name === '') === isCore);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: resources.map(aggregatedResource),
        freshness: 'Current',
      })),
    })),
  };
}

function aggregatedResource(resource: Resource): KubernetesObject {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind: ownKind(resource, resource),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: verbsOf(resource),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map((subresource) => ({
            subresource: subresource.name,
            responseKind: ownKind(resource, subresource),
            verbs: subresource.verbs,
          })),
        }),
  };
}

// An empty group and version stand for those of the resource.
function ownKind(
  resource: Resource,
  { group, version, kind }: Pick<Resource, 'group' | 'version' | 'kind'>,
): KubernetesObject {
  const isOwn = formatGroupVersion({ group, version }) === formatGroupVersion(resource);
  if (resource.definition !== undefined) return { group, version, kind };
  return isOwn ? { group: '', version: '', kind } : { group, version, kind };
}

/** The first bytes of a SHA-256 in base64 (apiserver discovery.StorageVersionHash). */
function storageVersionHash(group: string, version: string, kind: string): string {
  const bytes = sha256(encodeUtf8(`${group}/${version}/${kind}`));
  return encodeBase64(bytes.slice(0, 8));
}
