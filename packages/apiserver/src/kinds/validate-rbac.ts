import { type FieldError, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import {
  invalid,
  labelSelectorProblem,
  nameProblems,
  notSupported,
  pathSegmentProblems,
  required,
  validateLabelSelector,
} from '@kubeadmit/apimachinery/internal';

const group = 'rbac.authorization.k8s.io';

/** What is wrong with an object by the rules that are written by hand, and by those that are declared. */
export interface RbacErrors {
  readonly own: readonly FieldError[];
  /** These come last. */
  readonly declarative: readonly FieldError[];
}

/** What is wrong with a role or binding besides its metadata (kubernetes `apis/rbac/validation`). */
export function validateRbac(object: KubernetesObject, kind: string): RbacErrors {
  switch (kind) {
    case 'Role':
      return { own: ruleErrors(object, true), declarative: missingVerbs(object) };
    case 'ClusterRole': {
      const own = [...ruleErrors(object, false), ...aggregationErrors(object)];
      return { own, declarative: missingVerbs(object) };
    }
    case 'RoleBinding':
      return {
        own: bindingErrors(object, ['Role', 'ClusterRole']),
        declarative: missingNames(object),
      };
    case 'ClusterRoleBinding':
      return { own: bindingErrors(object, ['ClusterRole']), declarative: missingNames(object) };
    default:
      return { own: [], declarative: [] };
  }
}

function missingVerbs(role: KubernetesObject): FieldError[] {
  return listOf(role, 'rules').flatMap((rule, i) =>
    listOf(rule, 'verbs').length === 0 ? [required(`rules[${i}].verbs`)] : [],
  );
}

function missingNames(binding: KubernetesObject): FieldError[] {
  const ofSubjects = listOf(binding, 'subjects').flatMap((subject, i) =>
    text(subject, 'name') === '' ? [required(`subjects[${i}].name`)] : [],
  );
  const isMissing = text(member(binding, 'roleRef'), 'name') === '';
  return [...ofSubjects, ...(isMissing ? [required('roleRef.name')] : [])];
}

function ruleErrors(role: KubernetesObject, isNamespaced: boolean): FieldError[] {
  return listOf(role, 'rules').flatMap((rule, i) => {
    const at = `rules[${i}]`;
    const errors: FieldError[] = [];
    const has = (name: string): boolean => listOf(rule, name).length > 0;
    if (has('nonResourceURLs')) return pathErrors(rule, at, isNamespaced);
    if (!has('apiGroups')) {
      const why = 'resource rules must supply at least one api group';
      errors.push(required(`${at}.apiGroups`, why));
    }
    if (!has('resources')) {
      errors.push(required(`${at}.resources`, 'resource rules must supply at least one resource'));
    }
    return errors;
  });
}

function pathErrors(rule: unknown, at: string, isNamespaced: boolean): FieldError[] {
  const paths = listOf(rule, 'nonResourceURLs');
  const hasResources = ['apiGroups', 'resources', 'resourceNames'].some(
    (name) => listOf(rule, name).length > 0,
  );
  const reasons = [
    ...(isNamespaced ? ['namespaced rules cannot apply to non-resource URLs'] : []),
    ...(hasResources ? ['rules cannot apply to both regular resources and non-resource URLs'] : []),
  ];
  return reasons.map((why) => invalid(`${at}.nonResourceURLs`, paths, why));
}

function aggregationErrors(role: KubernetesObject): FieldError[] {
  const rule = member(role, 'aggregationRule');
  if (!rule) return [];
  const at = 'aggregationRule.clusterRoleSelectors';
  const selectors = listOf(rule, 'clusterRoleSelectors');
  if (selectors.length === 0) {
    const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [required(at, why)];
  }
  return selectors.flatMap((selector, i) => [
    ...validateLabelSelector(selector as KubernetesObject, `${at}[${i}]`),
    ...(labelSelectorProblem(selector as KubernetesObject) === undefined
      ? []
      : [invalid(`${at}[${i}]`, null, 'invalid label selector.')]),
  ]);
}

function bindingErrors(binding: KubernetesObject, kinds: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const reference = member(binding, 'roleRef');
  const apiGroup = text(reference, 'apiGroup');
  if (apiGroup !== group) errors.push(notSupported('roleRef.apiGroup', apiGroup, [group]));
  const kind = text(reference, 'kind');
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  const name = text(reference, 'name');
  errors.push(...pathSegmentProblems(name).map((why) => invalid('roleRef.name', name, why)));
  const isNamespaced = kinds.length > 1;
  for (const [i, subject] of listOf(binding, 'subjects').entries()) {
    errors.push(...subjectErrors(subject, `subjects[${i}]`, isNamespaced));
  }
  return errors;
}

function subjectErrors(subject: unknown, at: string, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const name = text(subject, 'name');
  const kind = text(subject, 'kind');
  const apiGroup = text(subject, 'apiGroup');
  if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) errors.push(notSupported(`${at}.apiGroup`, apiGroup, [group]));
    return errors;
  }
  if (kind !== 'ServiceAccount') {
    return [...errors, notSupported(`${at}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
  if (name !== '') {
    const problems = nameProblems(name, 'dns1123Subdomain');
    errors.push(...problems.map((why) => invalid(`${at}.name`, name, why)));
  }
  if (apiGroup !== '') errors.push(notSupported(`${at}.apiGroup`, apiGroup, ['']));
  if (!isNamespaced && text(subject, 'namespace') === '') errors.push(required(`${at}.namespace`));
  return errors;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}

function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === 'string' ? found : '';
}
