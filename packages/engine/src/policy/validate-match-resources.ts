import type { FieldError } from '@kubeadmit/apimachinery';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from '@kubeadmit/apimachinery/field-errors';
import { pathSegmentProblems } from '@kubeadmit/apimachinery/names';
import type { MatchResources, ResourceRule } from './model.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

/** Validates `matchConstraints` or `matchResources` at a path, as kube-apiserver does. */
export function validateMatchResources(match: MatchResources, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (match.matchPolicy == null) {
    errors.push(required(`${path}.matchPolicy`));
  } else if (match.matchPolicy !== 'Equivalent' && match.matchPolicy !== 'Exact') {
    errors.push(notSupported(`${path}.matchPolicy`, match.matchPolicy, ['Equivalent', 'Exact']));
  }
  for (const name of ['namespaceSelector', 'objectSelector'] as const) {
    const selector = match[name];
    if (selector == null) errors.push(required(`${path}.${name}`));
    else errors.push(...validateLabelSelector(selector, `${path}.${name}`));
  }
  for (const name of ['resourceRules', 'excludeResourceRules'] as const) {
    for (const [i, rule] of (match[name] ?? []).entries()) {
      errors.push(...validateResourceRule(rule, `${path}.${name}[${i}]`));
    }
  }
  return errors;
}

/** The operations in rules that a mutating policy cannot have, each reported without its place. */
export function validateMutatingOperations(match: MatchResources, path: string): FieldError[] {
  const all = (match.resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
  return all
    .filter((operation) => !mutatingOperations.includes(operation))
    .map((operation) =>
      notSupported(`${path}.resourceRules.operations`, operation, mutatingOperations),
    );
}

/** Validates a rule of a policy or webhook at a path, as kube-apiserver does. */
export function validateResourceRule(rule: ResourceRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, name] of (rule.resourceNames ?? []).entries()) {
    const at = `${path}.resourceNames[${i}]`;
    for (const text of pathSegmentProblems(name)) errors.push(invalid(at, name, text));
    if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
  }
  errors.push(
    ...validateWildcard(rule.operations ?? [], `${path}.operations`, 'operations'),
    ...(rule.operations ?? []).flatMap((operation, i) =>
      operations.includes(operation)
        ? []
        : [notSupported(`${path}.operations[${i}]`, operation, operations)],
    ),
    ...validateWildcard(rule.apiGroups ?? [], `${path}.apiGroups`, 'API groups'),
    ...validateWildcard(rule.apiVersions ?? [], `${path}.apiVersions`, 'API versions'),
  );
  for (const [i, version] of (rule.apiVersions ?? []).entries()) {
    if (version === '') errors.push(required(`${path}.apiVersions[${i}]`));
  }
  errors.push(...validateResources(rule.resources ?? [], `${path}.resources`));
  if (rule.scope != null && !scopes.includes(rule.scope)) {
    errors.push(notSupported(`${path}.scope`, rule.scope, scopes));
  }
  return errors;
}

function validateWildcard(values: readonly string[], path: string, what: string): FieldError[] {
  if (values.length === 0) return [required(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

// Overlaps are found only with entries that come before, and the flag about entries without a
// subresource is that of the last such entry, as in kube-apiserver.
function validateResources(resources: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let otherWithoutSubresource = false;
  if (resources.length === 0) errors.push(required(path));
  for (const [i, entry] of resources.entries()) {
    const at = `${path}[${i}]`;
    if (entry === '') {
      errors.push(required(at));
      continue;
    }
    const slash = entry.indexOf('/');
    if (slash < 0) {
      otherWithoutSubresource = entry !== '*';
      continue;
    }
    const resource = entry.slice(0, slash);
    const subresource = entry.slice(slash + 1);
    if (wholeResources.has(resource)) {
      errors.push(invalid(at, entry, `if '${resource}/*' is present, must not specify ${entry}`));
    }
    if (wholeSubresources.has(subresource)) {
      errors.push(
        invalid(at, entry, `if '*/${subresource}' is present, must not specify ${entry}`),
      );
    }
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    const text = "if '*/*' is present, must not specify other resources";
    errors.push(invalid(path, resources, text));
  }
  if (resources.includes('*') && otherWithoutSubresource) {
    const text = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, text));
  }
  return errors;
}
