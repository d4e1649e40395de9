import type { GroupVersionKind, GroupVersionResource } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { type MatchResources, type RequestAttributes, readAttributes } from '@kubeadmit/engine';
import { compileMatch, isExempt, matchRequest } from '@kubeadmit/matcher';
import {
  equivalentResources,
  findKind,
  listResources,
  type Resource,
  type Schemas,
} from '@kubeadmit/schemas';
import { splitEntry } from '../inputs/resource-entries.ts';

/** A resource or subresource that match criteria fit. */
export interface MatchedKind {
  /** The kind of the objects that expressions see. */
  readonly kind: GroupVersionKind;
  /** The kind of the objects in the requests: another version, where they are converted. */
  readonly requestKind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** Empty for the resource itself. */
  readonly subresource: string;
  readonly operation: string;
  /** A rule names it, without `*`. */
  readonly isNamed: boolean;
}

/** The verbs of the requests that have each operation. */
const operations = [
  ['CREATE', ['create']],
  ['UPDATE', ['update', 'patch']],
  ['DELETE', ['delete', 'deletecollection']],
] as const;

/** Cached facts about the requests of servers with these kinds. */
interface Known {
  /** The resources of which policies see requests. */
  readonly resources: readonly Resource[];
  /** The requests of resources, as far as they were needed. */
  readonly requests: Map<Resource, readonly RequestAttributes[]>;
  /** The results for recent criteria: an editor asks after every keystroke. */
  readonly found: Map<string, readonly MatchedKind[]>;
}

const knownBy = new WeakMap<Schemas, Known>();
const mostFound = 500;

/**
 * Every resource and subresource of which a policy can see requests, by the rules of its match criteria
 * alone: selectors and names decide about single requests.
 */
export function matchedKinds(match: MatchResources, schemas: Schemas): readonly MatchedKind[] {
  const criteria: MatchResources = {
    resourceRules: (match.resourceRules ?? []).map((rule) => ({ ...rule, resourceNames: null })),
    excludeResourceRules: (match.excludeResourceRules ?? []).filter(
      ({ resourceNames }) => (resourceNames ?? []).length === 0,
    ),
    matchPolicy: match.matchPolicy ?? null,
    namespaceSelector: {},
    objectSelector: {},
  };
  const known = getOrMake(knownBy, schemas, () => ({
    resources: listResources(schemas).filter((resource) => !isExempt({ resource })),
    requests: new Map(),
    found: new Map(),
  }));
  const { found } = known;
  const key = JSON.stringify(criteria);
  const kinds = found.get(key) ?? findKinds(criteria, requestsFor(criteria, known), schemas);
  // The most recent entry is kept longest.
  found.delete(key);
  found.set(key, kinds);
  const [oldest = key] = found.keys();
  if (found.size > mostFound) found.delete(oldest);
  return kinds;
}

function findKinds(
  criteria: MatchResources,
  requests: readonly RequestAttributes[],
  schemas: Schemas,
): readonly MatchedKind[] {
  const rules = criteria.resourceRules ?? [];
  const compiled = compileMatch(criteria);
  const environment = {
    namespaceLabels: () => ({}),
    equivalents: (resource: GroupVersionResource) => equivalentResources(schemas, resource),
    kindFor: (resource: GroupVersionResource, subresource: string) =>
      findKind(schemas, resource, subresource),
  };
  return requests.flatMap((request) => {
    const result = matchRequest(compiled, request, environment);
    if (result.outcome !== 'match') return [];
    const { reason, kind } = result;
    const rule = 'rule' in reason ? rules[reason.rule] : undefined;
    const names = [rule?.apiGroups, rule?.apiVersions, rule?.resources].flatMap(
      (each) => each ?? [],
    );
    const { resource, subresource, operation, kind: requestKind } = request;
    const isNamed = rule !== undefined && !names.some((name) => name.includes('*'));
    return [{ kind, requestKind, resource, subresource, operation, isNamed }];
  });
}

/** The requests that are worth a look: of resources that some rule names, which have one name in all versions. */
function requestsFor(
  { resourceRules }: MatchResources,
  { resources, requests }: Known,
): readonly RequestAttributes[] {
  const rules = resourceRules ?? [];
  const names = new Set(
    rules.flatMap((rule) => (rule.resources ?? []).map((entry) => splitEntry(entry).resource)),
  );
  const isAny = rules.length === 0 || names.has('*');
  return resources
    .filter(({ resource }) => isAny || names.has(resource))
    .flatMap((resource) => getOrMake(requests, resource, () => requestsOf(resource)));
}

/** For a resource and each of its subresources, a request of each operation that it has. */
function requestsOf(resource: Resource): readonly RequestAttributes[] {
  const rows = [{ ...resource, name: '', connect: false }, ...resource.subresources];
  return rows.flatMap(({ name, verbs, connect, group, version, kind }) => {
    const possible = connect
      ? ['CONNECT']
      : operations
          .filter(([, wanted]) => wanted.some((verb) => verbs.includes(verb)))
          .map(([operation]) => operation);
    return possible.map((operation) =>
      readAttributes({
        operation,
        kind: { group, version, kind },
        resource: {
          group: resource.group,
          version: resource.version,
          resource: resource.resource,
        },
        subResource: name,
        namespace: resource.namespaced ? 'default' : '',
      }),
    );
  });
}
