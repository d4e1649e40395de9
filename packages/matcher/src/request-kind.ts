import { type GroupVersionResource, sameKind, sameResource } from '@kubeadmit/apimachinery';
import type { MatchResources, RequestAttributes } from '@kubeadmit/engine';
import { splitResource } from './resource-rule.ts';

/** All of a request that decides which policies may be about it: neither its object nor its name. */
export type RequestKind = Pick<
  RequestAttributes,
  'kind' | 'resource' | 'subresource' | 'operation' | 'namespace'
>;

/** Whether two requests are of one kind, which takes less than to make keys of both. */
export function isAlike(a: RequestKind, b: RequestKind): boolean {
  return (
    a.operation === b.operation &&
    a.namespace === b.namespace &&
    a.subresource === b.subresource &&
    sameResource(a.resource, b.resource) &&
    sameKind(a.kind, b.kind)
  );
}

/** The kind of a request as a key. */
export function kindOfRequest({
  kind,
  resource,
  subresource,
  operation,
  namespace,
}: RequestKind): string {
  const { group, version, resource: name } = resource;
  const head = `${operation}\n${namespace}\n${group}\n${version}\n${name}\n${subresource}`;
  return `${head}\n${kind.group}\n${kind.version}\n${kind.kind}`;
}

/** The keys under which criteria are found: group and resource of each rule. */
export function keysOf(criteria: MatchResources): readonly string[] {
  const rules = criteria.resourceRules ?? [];
  const keys = new Set(rules.length === 0 ? [keyOf('*', '*')] : []);
  for (const rule of rules) {
    for (const group of rule.apiGroups ?? []) {
      for (const entry of rule.resources ?? []) {
        keys.add(keyOf(group, splitResource(entry).resource));
      }
    }
  }
  return [...keys];
}

/** The keys of criteria that may be about a request for any of these resources. */
export function keysOfResources(resources: readonly GroupVersionResource[]): readonly string[] {
  const keys: string[] = [];
  for (const each of resources) {
    for (const group of [each.group, '*']) {
      for (const name of [each.resource, '*']) keys.push(keyOf(group, name));
    }
  }
  return keys;
}

function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}
