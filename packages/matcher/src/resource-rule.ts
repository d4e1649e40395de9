import type { GroupVersionResource } from '@kubeadmit/apimachinery';
import type { RequestAttributes, ResourceRule } from '@kubeadmit/engine';
import { cut } from '@kubeadmit/go';

/** The part of a rule that a request did not fit. */
export type RulePart = 'scope' | 'operation' | 'group' | 'version' | 'resource' | 'name';

export interface CompiledRule {
  /** The first part that does not fit a request for a resource; `undefined` when all fit. */
  mismatch(request: RequestAttributes, resource: GroupVersionResource): RulePart | undefined;
}

/**
 * Prepares a resource rule (apiserver webhook/predicates/rules and policy/matching).
 *
 * `*` stands for all resources without subresources, `pods/*` also for `pods` itself.
 */
export function compileRule(rule: ResourceRule): CompiledRule {
  const operations = compileValues(rule.operations);
  const groups = compileValues(rule.apiGroups);
  const versions = compileValues(rule.apiVersions);
  const resources = (rule.resources ?? []).map(splitResource);
  const names = new Set(rule.resourceNames ?? []);
  const scope = rule.scope ?? '*';
  return {
    mismatch(request, resource) {
      if (!fitsScope(scope, request, resource)) return 'scope';
      if (!operations(request.operation)) return 'operation';
      if (!groups(resource.group)) return 'group';
      if (!versions(resource.version)) return 'version';
      const fits = resources.some(
        (entry) =>
          (entry.resource === '*' || entry.resource === resource.resource) &&
          (entry.subresource === '*' || entry.subresource === request.subresource),
      );
      if (!fits) return 'resource';
      return names.size === 0 || names.has(request.name) ? undefined : 'name';
    },
  };
}

/** Splits an entry of `resources` at its first slash. */
export function splitResource(entry: string): { resource: string; subresource: string } {
  const [resource, subresource = ''] = cut(entry, '/');
  return { resource, subresource };
}

function compileValues(values: readonly string[] | null | undefined): (value: string) => boolean {
  const set = new Set(values ?? []);
  return set.has('*') ? () => true : (value) => set.has(value);
}

function fitsScope(
  scope: string,
  request: RequestAttributes,
  { group, version, resource }: GroupVersionResource,
): boolean {
  if (scope === '*') return true;
  // A Namespace is cluster-scoped although its requests have a namespace.
  const isNamespace = group === '' && version === 'v1' && resource === 'namespaces';
  const isNamespaced = !isNamespace && request.namespace !== '';
  return scope === 'Namespaced' ? isNamespaced : scope === 'Cluster' && !isNamespaced;
}
