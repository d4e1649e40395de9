import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { getOrMake } from '@kubeadmit/base';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '@kubeadmit/engine';
import { compareText, quote, search, trimRight } from '@kubeadmit/go';
import {
  isSubject,
  type PolicyRule,
  type RoleReference,
  roleReferenceOf,
  rulesOfRole,
  type Subject,
  subjectsOf,
} from './rbac-objects.ts';

/** A binding of a role to subjects, read. */
export interface RoleBinding {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  /** Empty for bindings of the cluster. */
  readonly namespace: string;
  readonly role: RoleReference;
  readonly subjects: readonly Subject[];
}

const privilegedGroup = 'system:masters';

/**
 * Roles and their bindings that change one by one, and the permissions they grant, as kube-apiserver's RBAC authorizer
 * decides it; members of `system:masters` may do everything. The cost of a change does not depend on the number of
 * other roles.
 *
 * Bindings count in the order of their names. Roles have the rules that are written in them: those of an
 * `aggregationRule` are for a controller to fill in.
 */
export class ChangingPermissions implements Authorizer {
  readonly #roles: Map<string, readonly PolicyRule[]> = new Map();
  /** Bindings by their namespaces, those of the cluster by none; each list in the order of names. */
  readonly #bindings: Map<string, RoleBinding[]> = new Map();

  /** Records that an object was created, changed or deleted. Objects other than roles and bindings are ignored. */
  change(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    if (before !== undefined) this.#remove(before);
    if (after !== undefined) this.#add(after);
  }

  /** Decides about one request. */
  authorize(request: AuthorizerAttributes): AuthorizerDecision {
    if (request.user.groups?.includes(privilegedGroup)) return { decision: 'allow', reason: '' };
    const problems: string[] = [];
    for (const binding of this.bindingsFor(request.kind === 'resource' ? request.namespace : '')) {
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

  /** The bindings that count in a namespace, those of the cluster first; without a name those of the cluster alone. */
  *bindingsFor(namespace: string): Generator<RoleBinding, void, undefined> {
    yield* this.#bindings.get('') ?? [];
    if (namespace !== '') yield* this.#bindings.get(namespace) ?? [];
  }

  /** The rules of a role that is there. */
  rulesOfRole(
    kind: 'Role' | 'ClusterRole',
    namespace: string,
    name: string,
  ): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKey(kind, namespace, name));
  }

  #add(object: KubernetesObject): void {
    const kind = member(object, 'kind');
    if (isRole(kind)) {
      this.#roles.set(keyOfRole(object, kind), rulesOfRole(object));
    } else if (isBinding(kind)) {
      const binding = readBinding(object, kind);
      const all = getOrMake(this.#bindings, binding.namespace, () => []);
      all.splice(
        firstPlace(all, (name) => compareText(name, binding.name) > 0),
        0,
        binding,
      );
    }
  }

  #remove(object: KubernetesObject): void {
    const kind = member(object, 'kind');
    if (isRole(kind)) {
      this.#roles.delete(keyOfRole(object, kind));
    } else if (isBinding(kind)) {
      const { name, namespace } = readBinding(object, kind);
      const all = this.#bindings.get(namespace) ?? [];
      const place = firstPlace(all, (other) => compareText(other, name) >= 0);
      if (all[place]?.name === name) all.splice(place, 1);
      if (all.length === 0) this.#bindings.delete(namespace);
    }
  }

  // The rules of the role that a binding refers to, or why there are none.
  #rulesOf({ namespace, role: { kind, name } }: RoleBinding): readonly PolicyRule[] | string {
    if (!isRole(kind)) return `unsupported role reference kind: ${quote(kind)}`;
    const missing = `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quote(name)} not found`;
    return this.rulesOfRole(kind, namespace, name) ?? missing;
  }
}

function isRole(kind: unknown): kind is 'Role' | 'ClusterRole' {
  return kind === 'Role' || kind === 'ClusterRole';
}

function isBinding(kind: unknown): kind is RoleBinding['kind'] {
  return kind === 'RoleBinding' || kind === 'ClusterRoleBinding';
}

function keyOfRole(role: KubernetesObject, kind: 'Role' | 'ClusterRole'): string {
  return roleKey(kind, metadataString(role, 'namespace'), metadataString(role, 'name'));
}

// Roles of the cluster are the same everywhere.
function roleKey(kind: 'Role' | 'ClusterRole', namespace: string, name: string): string {
  return `${kind} ${kind === 'ClusterRole' ? '' : namespace}/${name}`;
}

function readBinding(object: KubernetesObject, kind: RoleBinding['kind']): RoleBinding {
  return {
    kind,
    name: metadataString(object, 'name'),
    namespace: kind === 'RoleBinding' ? metadataString(object, 'namespace') : '',
    role: roleReferenceOf(object),
    subjects: subjectsOf(object),
  };
}

/** The place of the first binding whose name fulfils a condition, as do all after it. */
function firstPlace(bindings: readonly RoleBinding[], fulfils: (name: string) => boolean): number {
  return search(bindings.length, (index) => fulfils(bindings[index]?.name ?? ''));
}

function allows(rule: PolicyRule, request: AuthorizerAttributes): boolean {
  if (!rule.verbs.includes('*') && !rule.verbs.includes(request.verb)) return false;
  if (request.kind === 'path') {
    const { path } = request;
    return rule.nonResourceURLs.some(
      (url) =>
        url === '*' || url === path || (url.endsWith('*') && path.startsWith(trimRight(url, '*'))),
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

function describe(binding: RoleBinding, subject: Subject): string {
  const isNamespaced = binding.kind === 'RoleBinding';
  const name = isNamespaced ? `${binding.name}/${binding.namespace}` : binding.name;
  const namespace = subject.namespace === '' ? binding.namespace : subject.namespace;
  const subjectName =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${namespace}` : subject.name;
  const role = `${binding.role.kind} ${quote(binding.role.name)}`;
  return `${binding.kind} ${quote(name)} of ${role} to ${subject.kind} ${quote(subjectName)}`;
}
