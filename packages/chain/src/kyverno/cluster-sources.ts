import { formatGroupVersion, type JsonObject, member, memberText } from '@kubeadmit/apimachinery';
import type { CelSources, ContextSources } from '@kubeadmit/kyverno';
import type { ResourceQuery, SourceAnswer } from '@kubeadmit/kyverno/unstable-internal';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { type EntryCluster, globalEntryAmong, globalReferenceAmong } from './global-context.ts';
import { identityOf, type ObjectIdentity, pluralOf } from './identity.ts';

/**
 * Creates the data sources of rules and expressions in a cluster without a network. The objects are read when
 * something is first looked up.
 */
export function clusterSources(
  objectsOf: () => readonly JsonObject[],
  schemas: Schemas,
): ContextSources & CelSources {
  let known: readonly JsonObject[] | undefined;
  const objects = (): readonly JsonObject[] => {
    known ??= objectsOf();
    return known;
  };
  const call: NonNullable<ContextSources['apiCall']> = (asked, policyNamespace) =>
    clusterAnswer(objects(), asked, schemas, policyNamespace);
  const entries = (): EntryCluster => ({
    objects: objects(),
    schemas,
    call: (asked) => clusterAnswer(objects(), asked, schemas),
  });
  return {
    parameters: objects,
    clones: objects,
    configMap: (namespace, name) => findConfigMap(objects())(namespace, name),
    apiCall: call,
    globalReference: (reference) => globalReferenceAmong(entries(), reference),
    globalContext: (name, projection) => globalEntryAmong(entries(), name, projection),
    getResource: (query) => objectSources(objects(), schemas).getResource(query),
    listResources: (query) => objectSources(objects(), schemas).listResources(query),
  };
}

/** Objects as the functions of CEL policies find them. */
export function objectSources(
  objects: readonly JsonObject[],
  schemas: Schemas,
): Required<Pick<CelSources, 'getResource' | 'listResources'>> {
  const ofResource = ({ apiVersion, resource }: ResourceQuery): readonly JsonObject[] =>
    objects.filter((object) => {
      const identity = identityOf(object);
      return identity.apiVersion === apiVersion && pluralOf(identity, schemas) === resource;
    });
  const isWithin = (object: JsonObject, { namespace }: ResourceQuery): boolean =>
    identityOf(object).namespace === namespace;
  return {
    getResource: (query) =>
      ofResource(query).find(
        (object) => isWithin(object, query) && identityOf(object).name === query.name,
      ),
    listResources: (query) => {
      const found = ofResource(query);
      if (found.length === 0) return { error: `${query.resource} resource not found` };
      return found.filter((object) => isWithin(object, query) && hasLabels(object, query.labels));
    },
  };
}

function hasLabels(object: JsonObject, wanted: Readonly<Record<string, string>>): boolean {
  const labels = member(member(object, 'metadata'), 'labels');
  return Object.entries(wanted).every(([name, value]) => member(labels, name) === value);
}

/** Finds ConfigMaps among objects. */
export function findConfigMap(
  objects: readonly JsonObject[],
): (namespace: string, name: string) => JsonObject | undefined {
  return (namespace, name) =>
    objects.find((object) => {
      const identity = identityOf(object);
      return (
        identity.kind === 'ConfigMap' && identity.name === name && identity.namespace === namespace
      );
    });
}

const apiPath =
  /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/;

/**
 * The answer of an API server with some objects.
 *
 * Kyverno looks for a namespace anywhere in a URL, query included. The answer of a policy in a namespace holds objects of
 * that namespace whatever the URL looks like.
 */
export function clusterAnswer(
  objects: readonly JsonObject[],
  call: JsonObject,
  schemas: Schemas,
  policyNamespace = '',
): SourceAnswer {
  const url = memberText(call, 'urlPath');
  const [path = ''] = url.split('?');
  const [, core, other, namespace, resource = '', name] = apiPath.exec(path) ?? [];
  const apiVersion = core ?? other;
  if (apiVersion === undefined) return { error: `no answer for ${url} is given` };
  if (isMissing(apiVersion, resource, schemas)) {
    return { error: `failed to GET resource with raw url: ${url}: ${notServed}` };
  }
  const found = objects.filter((object) => {
    const identity = identityOf(object);
    return (
      identity.apiVersion === apiVersion &&
      pluralOf(identity, schemas) === resource &&
      (namespace === undefined || identity.namespace === namespace) &&
      (policyNamespace === '' || isOf(policyNamespace, identity))
    );
  });
  if (name === undefined) return { data: { apiVersion, kind: 'List', items: found } };
  const object = found.find((one) => identityOf(one).name === name);
  return object === undefined
    ? { error: `failed to GET resource with raw url: ${url}: ${resource} "${name}" not found` }
    : { data: object };
}

const notServed = 'the server could not find the requested resource';

// Definitions may add resources to other groups.
function isMissing(apiVersion: string, resource: string, schemas: Schemas): boolean {
  const ofVersion = listResources(schemas).filter(
    ({ group, version }) => formatGroupVersion({ group, version }) === apiVersion,
  );
  return ofVersion.length > 0 && !ofVersion.some((served) => served.resource === resource);
}

function isOf(
  policyNamespace: string,
  { apiVersion, kind, namespace, name }: ObjectIdentity,
): boolean {
  if (apiVersion === 'v1' && kind === 'Namespace') return name === policyNamespace;
  return namespace === policyNamespace;
}
