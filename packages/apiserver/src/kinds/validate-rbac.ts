import {
  type FieldError,
  type KubernetesObject,
  labelSelectorProblem,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import {
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from '@kubeadmit/apimachinery/field-errors';
import { nameProblems, pathSegmentProblems } from '@kubeadmit/apimachinery/names';

const group = 'rbac.authorization.k8s.io';

/** Errors of hand-written rules, and of declarative ones. */
export interface RbacErrors {
  readonly own: readonly FieldError[];
  /** These come last. */
  readonly declarative: readonly FieldError[];
}

/** Validates a role or binding except for its metadata (kubernetes `apis/rbac/validation`). */
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
  return memberList(role, 'rules').flatMap((rule, i) =>
    memberList(rule, 'verbs').length === 0 ? [required(`rules[${i}].verbs`)] : [],
  );
}

function missingNames(binding: KubernetesObject): FieldError[] {
  const ofSubjects = memberList(binding, 'subjects').flatMap((subject, i) =>
    memberText(subject, 'name') === '' ? [required(`subjects[${i}].name`)] : [],
  );
  const isMissing = memberText(member(binding, 'roleRef'), 'name') === '';
  return [...ofSubjects, ...(isMissing ? [required('roleRef.name')] : [])];
}

function ruleErrors(role: KubernetesObject, isNamespaced: boolean): FieldError[] {
  return memberList(role, 'rules').flatMap((rule, i) => {
    const at = `rules[${i}]`;
    const errors: FieldError[] = [];
    const has = (name: string): boolean => memberList(rule, name).length > 0;
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
  const paths = memberList(rule, 'nonResourceURLs');
  const hasResources = ['apiGroups', 'resources', 'resourceNames'].some(
    (name) => memberList(rule, name).length > 0,
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
  const selectors = memberList(rule, 'clusterRoleSelectors');
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
  const apiGroup = memberText(reference, 'apiGroup');
  if (apiGroup !== group) errors.push(notSupported('roleRef.apiGroup', apiGroup, [group]));
  const kind = memberText(reference, 'kind');
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  const name = memberText(reference, 'name');
  errors.push(...pathSegmentProblems(name).map((why) => invalid('roleRef.name', name, why)));
  const isNamespaced = kinds.length > 1;
  for (const [i, subject] of memberList(binding, 'subjects').entries()) {
    errors.push(...subjectErrors(subject, `subjects[${i}]`, isNamespaced));
  }
  return errors;
}

function subjectErrors(subject: unknown, at: string, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const name = memberText(subject, 'name');
  const kind = memberText(subject, 'kind');
  const apiGroup = memberText(subject, 'apiGroup');
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
  if (!isNamespaced && memberText(subject, 'namespace') === '')
    errors.push(required(`${at}.namespace`));
  return errors;
}
