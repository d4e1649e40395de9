import {
  type JsonObject,
  member,
  memberObjects,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { Failure, search } from '@kubeadmit/kyverno/jmespath';
import type { SourceAnswer } from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { identityOf, pluralOf } from './identity.ts';

/**
 * Returns the data of a GlobalContextEntry among objects, or of one of its projections: the objects of the resource that
 * it names, as the Kyverno CLI finds them. `undefined` if there is no such entry.
 */
export function globalEntryAmong(
  objects: readonly JsonObject[],
  name: string,
  projection: string,
  schemas: Schemas,
): SourceAnswer | undefined {
  const entry = objects.find(
    (object) => object['kind'] === 'GlobalContextEntry' && metadataString(object, 'name') === name,
  );
  const spec = member(entry, 'spec');
  const resource = member(spec, 'kubernetesResource');
  if (entry === undefined) return undefined;
  if (resource === undefined) {
    return {
      error: `the entry ${name} calls a service; provide its data in \`globalContextEntries\` of a kyverno-test.yaml (for \`check\`: \`--context-file\`)`,
    };
  }
  const data = objects.filter((object) => isOf(object, resource, schemas));
  if (projection === '') return { data };
  const query = memberObjects(spec, 'projections').find(
    (each) => memberText(each, 'name') === projection,
  );
  if (query === undefined) return { error: `projection "${projection}" not found` };
  const found = search(memberText(query, 'jmesPath'), data, {});
  return found instanceof Failure ? { error: found.message } : { data: found };
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
