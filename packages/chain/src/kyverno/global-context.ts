import {
  type JsonObject,
  member,
  memberObject,
  memberObjects,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { Failure, search } from '@kubeadmit/kyverno/jmespath';
import type { SourceAnswer } from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { identityOf, pluralOf } from './identity.ts';

/** The objects of a cluster, and its answers to calls of its API. */
export interface EntryCluster {
  readonly objects: readonly JsonObject[];
  readonly schemas: Schemas;
  readonly call: (call: JsonObject) => SourceAnswer;
}

/**
 * Returns the data of a GlobalContextEntry among objects, or of one of its projections: the objects of the resource that
 * it names, or the answer of the cluster to its call. `undefined` if there is no such entry.
 */
export function globalEntryAmong(
  { objects, schemas, call }: EntryCluster,
  name: string,
  projection: string,
): SourceAnswer | undefined {
  const entry = objects.find(
    (object) => object['kind'] === 'GlobalContextEntry' && metadataString(object, 'name') === name,
  );
  if (entry === undefined) return undefined;
  const spec = member(entry, 'spec');
  const resource = member(spec, 'kubernetesResource');
  const answer =
    resource === undefined
      ? callAnswer(name, memberObject(spec, 'apiCall'), call)
      : { data: objects.filter((object) => isOf(object, resource, schemas)) };
  if (projection === '' || 'error' in answer) return answer;
  const query = memberObjects(spec, 'projections').find(
    (each) => memberText(each, 'name') === projection,
  );
  if (query === undefined) return { error: `projection "${projection}" not found` };
  const found = search(memberText(query, 'jmesPath'), answer.data, {});
  return found instanceof Failure ? { error: found.message } : { data: found };
}

/** Returns the data that a rule reads by `NAME` or `NAME.PROJECTION`; an unknown entry is an error. */
export function globalReferenceAmong(cluster: EntryCluster, reference: string): SourceAnswer {
  const [name = '', projection = ''] = reference.split('.');
  const answer = globalEntryAmong(cluster, name, projection);
  return answer ?? { error: `failed to fetch entry key=${name}` };
}

function callAnswer(name: string, call: JsonObject, ask: EntryCluster['call']): SourceAnswer {
  if (memberText(call, 'urlPath') !== '') return ask(call);
  return {
    error: `the entry ${name} calls a service; provide its data in \`globalContextEntries\` of a kyverno-test.yaml (for \`check\`: \`--context-file\`)`,
  };
}

function isOf(object: JsonObject, resource: unknown, schemas: Schemas): boolean {
  const [group, version] = [memberText(resource, 'group'), memberText(resource, 'version')];
  const namespace = memberText(resource, 'namespace');
  const identity = identityOf(object);
  return (
    identity.apiVersion === (group === '' ? version : `${group}/${version}`) &&
    pluralOf(identity, schemas) === memberText(resource, 'resource') &&
    (namespace === '' || identity.namespace === namespace)
  );
}
