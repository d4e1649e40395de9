import {
  compileLabelSelector,
  type KubernetesObject,
  type LabelSelector,
  labelsOf,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/internal';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '@kubeadmit/engine';
import { compareText, quote } from '@kubeadmit/go';
import {
  isSubject,
  type PolicyRule,
  type RoleReference,
  roleReferenceOf,
  rulesOfRole,
  type Subject,
  subjectsOf,
} from './rbac-objects.ts';

interface Binding {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  readonly namespace: string;
  readonly role: RoleReference;
  readonly subjects: readonly Subject[];
}

const privilegedGroup = 'system:masters';

/**
 * Decides from Roles, ClusterRoles and their bindings, as kube-apiserver's RBAC authorizer does;
 * members of `system:masters` may do everything.
 *
 * Bindings count in the order of their names. ClusterRoles with an `aggregationRule` have the rules
 * of the ClusterRoles that it selects, as the controller would fill them in.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #roles: Map<string, readonly PolicyRule[]> = new Map();
  readonly #clusterBindings: readonly Binding[];
  readonly #namespacedBindings: Map<string, Binding[]> = new Map();

  constructor(objects: readonly KubernetesObject[]) {
    const ofKind = (kind: string): KubernetesObject[] =>
      objects.filter((object) => member(object, 'kind') === kind);
    const clusterRoles = ofKind('ClusterRole');
    for (const role of clusterRoles) {
      this.#roles.set(`/${metadataString(role, 'name')}`, aggregatedRules(role, clusterRoles));
    }
    for (const role of ofKind('Role')) {
      const key = `${metadataString(role, 'namespace')}/${metadataString(role, 'name')}`;
      this.#roles.set(key, rulesOfRole(role));
    }
    const byName = (a: Binding, b: Binding): number => compareText(a.name, b.name);
    this.#clusterBindings = ofKind('ClusterRoleBinding')
      .map((binding) => readBinding(binding, 'ClusterRoleBinding'))
      .sort(byName);
    for (const object of ofKind('RoleBinding')) {
      const binding = readBinding(object, 'RoleBinding');
      const known = this.#namespacedBindings.get(binding.namespace);
      if (known === undefined) this.#namespacedBindings.set(binding.namespace, [binding]);
      else known.push(binding);
    }
    for (const bindings of this.#namespacedBindings.values()) bindings.sort(byName);
  }

  /** Decides about one request. */
  authorize(request: AuthorizerAttributes): AuthorizerDecision {
    if (request.user.groups?.includes(privilegedGroup)) return { decision: 'allow', reason: '' };
    const namespace = request.kind === 'resource' ? request.namespace : '';
    const bindings = [
      ...this.#clusterBindings,
      ...(namespace === '' ? [] : (this.#namespacedBindings.get(namespace) ?? [])),
    ];
    const problems: string[] = [];
    for (const binding of bindings) {
      const subject = binding.subjects.find((each) =>
        isSubject(request.user, each, binding.namespace),
      );
      if (subject === undefined) continue;
      const rules = this.#rulesOf(binding);
      if (typeof rules === 'string') {
        problems.push(rules);
      } else if (rules.some((rule) => allows(rule, request))) {
        const reason = `RBAC: allowed by ${describe(binding, subject)}`;
        return { decision: 'allow', reason };
      }
    }
    const reason = problems.length === 0 ? '' : `RBAC: ${formatAggregate(problems)}`;
    return { decision: 'no-opinion', reason };
  }

  // The rules of the role that a binding refers to, or why there are none.
  #rulesOf({ namespace, role }: Binding): readonly PolicyRule[] | string {
    if (role.kind !== 'Role' && role.kind !== 'ClusterRole') {
      return `unsupported role reference kind: ${quote(role.kind)}`;
    }
    const key = role.kind === 'ClusterRole' ? `/${role.name}` : `${namespace}/${role.name}`;
    const kind = role.kind.toLowerCase();
    const missing = `${kind}.rbac.authorization.k8s.io ${quote(role.name)} not found`;
    return this.#roles.get(key) ?? missing;
  }
}

function aggregatedRules(
  role: KubernetesObject,
  clusterRoles: readonly KubernetesObject[],
): readonly PolicyRule[] {
  const selectors = member(member(role, 'aggregationRule'), 'clusterRoleSelectors');
  if (!Array.isArray(selectors)) return rulesOfRole(role);
  const compiled = selectors.map((selector: LabelSelector) => compileLabelSelector(selector));
  return clusterRoles
    .filter((other) => other !== role)
    .filter((other) => compiled.some((selector) => selector.matches(labelsOf(other))))
    .sort((a, b) => compareText(metadataString(a, 'name'), metadataString(b, 'name')))
    .flatMap(rulesOfRole);
}

function readBinding(object: KubernetesObject, kind: Binding['kind']): Binding {
  return {
    kind,
    name: metadataString(object, 'name'),
    namespace: kind === 'RoleBinding' ? metadataString(object, 'namespace') : '',
    role: roleReferenceOf(object),
    subjects: subjectsOf(object),
  };
}

function allows(rule: PolicyRule, request: AuthorizerAttributes): boolean {
  if (!rule.verbs.includes('*') && !rule.verbs.includes(request.verb)) return false;
  if (request.kind === 'path') {
    const { path } = request;
    return rule.nonResourceURLs.some(
      (url) =>
        url === '*' ||
        url === path ||
        (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))),
    );
  }
  const { group, resource, subresource, name } = request;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    (rule.apiGroups.includes('*') || rule.apiGroups.includes(group)) &&
    rule.resources.some(
      (each) =>
        each === '*' || each === combined || (subresource !== '' && each === `*/${subresource}`),
    ) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  );
}

function describe(binding: Binding, subject: Subject): string {
  const isNamespaced = binding.kind === 'RoleBinding';
  const name = isNamespaced ? `${binding.name}/${binding.namespace}` : binding.name;
  const namespace = subject.namespace === '' ? binding.namespace : subject.namespace;
  const subjectName =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${namespace}` : subject.name;
  const role = `${binding.role.kind} ${quote(binding.role.name)}`;
  return `${binding.kind} ${quote(name)} of ${role} to ${subject.kind} ${quote(subjectName)}`;
}
