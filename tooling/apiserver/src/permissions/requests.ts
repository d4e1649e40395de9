import { listResources, type Resource, type Schemas, type Subresource } from '@kubeadmit/schemas';
import { type Manifest, manifests } from './manifests.ts';

/** A request that every user makes. */
export interface PermissionRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: object;
}

const subresourceBodies: Readonly<Record<string, object>> = {
  scale: { spec: { replicas: 2 } },
  binding: { target: { kind: 'Node', name: 'n' } },
  token: { spec: {} },
  approval: { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r' }] } },
};

/** Returns the requests that create the objects of the other requests, in the required order. */
export function objectRequests(schemas: Schemas): readonly PermissionRequest[] {
  return servedResources(schemas)
    .filter(({ verbs }) => verbs.includes('create') && verbs.includes('get'))
    .filter((resource) => manifestOf(resource).absent !== true)
    .map((resource) => ({
      method: 'POST',
      path: collectionOf(resource),
      body: objectOf(resource, 0),
    }));
}

/** Returns requests for each verb of each served resource and subresource, for an existing and a missing object. */
export function permissionRequests(schemas: Schemas): readonly PermissionRequest[] {
  return servedResources(schemas).flatMap((resource) => [
    ...resourceRequests(resource),
    ...resource.subresources.flatMap((each) => subresourceRequests(resource, each)),
  ]);
}

// Permissions are per group, so one version of each resource is enough: the newest.
function servedResources(schemas: Schemas): readonly Resource[] {
  const served = listResources(schemas).filter(
    ({ group, version }) => !/alpha|beta/.test(version) || group === 'admissionregistration.k8s.io',
  );
  const newest = new Map([...served].reverse().map((each) => [qualified(each), each]));
  return [...[...newest.values()].reverse(), customResource];
}

const view = { group: 'example.com', version: 'v1', kind: 'Old', connect: false };
const viewVerbs = ['get', 'patch', 'update'];

/** The resource of the definition in the manifests, which comes before it. */
const customResource: Resource = {
  ...view,
  resource: 'olds',
  singular: 'old',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: ['create', 'get'],
  subresources: [
    { ...view, name: 'status', verbs: viewVerbs },
    { ...view, group: 'autoscaling', kind: 'Scale', name: 'scale', verbs: viewVerbs },
  ],
};

function resourceRequests(resource: Resource): readonly PermissionRequest[] {
  const collection = collectionOf(resource);
  const [old, missing] = namesOf(resource);
  const paths = [old, missing].map((name) => `${collection}/${name}`);
  return [
    { method: 'GET', path: collection },
    { method: 'GET', path: `${collection}?watch=true&resourceVersion=none` },
    { method: 'GET', path: `${collection}?fieldSelector=metadata.name%3D${old}&limit=1` },
    { method: 'DELETE', path: `${collection}?dryRun=All` },
    { method: 'DELETE', path: `${collection}?dryRun=All&fieldSelector=metadata.name%3D${old}` },
    { method: 'POST', path: `${collection}?dryRun=All`, body: objectOf(resource, 1) },
    ...paths.flatMap((path, place) => [
      { method: 'GET', path },
      { method: 'DELETE', path: `${path}?dryRun=All` },
      ...writes(path, objectOf(resource, place)),
    ]),
  ];
}

function subresourceRequests(
  resource: Resource,
  { name, kind, group, version, connect }: Subresource,
): readonly PermissionRequest[] {
  const [old] = namesOf(resource);
  const path = `${collectionOf(resource)}/${old}/${name}`;
  if (connect) {
    return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path }));
  }
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const own = subresourceBodies[name];
  const object =
    kind === resource.kind
      ? { ...objectOf(resource, 0), ...own }
      : { apiVersion, kind, metadata: { name: old }, ...own };
  return [
    { method: 'GET', path },
    { method: 'POST', path: `${path}?dryRun=All`, body: object },
    ...writes(path, object),
  ];
}

function writes(path: string, object: object): readonly PermissionRequest[] {
  return [
    { method: 'PUT', path: `${path}?dryRun=All`, body: object },
    {
      method: 'PATCH',
      path: `${path}?dryRun=All&fieldManager=m&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: object,
    },
    {
      method: 'PATCH',
      path: `${path}?dryRun=All`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { a: 'b' } } },
    },
  ];
}

function objectOf(resource: Resource, place: number): object {
  const { group, version, kind } = resource;
  const manifest = manifestOf(resource);
  const body = manifest.body ?? manifest.bodies?.[place] ?? {};
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const metadata = manifest.nameless === true ? {} : { name: namesOf(resource)[place] };
  return { apiVersion, kind, metadata, ...body };
}

function namesOf(resource: Resource): readonly [string, string] {
  return manifestOf(resource).names ?? ['old', 'new'];
}

function manifestOf(resource: Resource): Manifest {
  const manifest = manifests[qualified(resource)];
  if (manifest === undefined) throw new Error(`no manifest of ${qualified(resource)}`);
  return manifest;
}

function qualified({ group, resource }: Resource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function collectionOf({ group, version, resource, namespaced }: Resource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/default/${resource}` : `${root}/${resource}`;
}
