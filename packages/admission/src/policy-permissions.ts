import {
  type FieldError,
  type KubernetesObject,
  member,
  memberText,
  parseGroupVersion,
} from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';
import type { Authorizer, UserInfo } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';

/** A policy or binding that is created or updated, in a version of kube-apiserver's own kinds. */
export interface WrittenPolicy {
  /** Such as `ValidatingAdmissionPolicyBinding`. */
  readonly kind: string;
  readonly object: KubernetesObject;
  /** The object before an update. */
  readonly old: KubernetesObject | undefined;
}

/** The author of a policy, and the source of his permissions. */
export interface PolicyAuthor {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  readonly schemas: Schemas;
  /** Returns the policy of the kind that a binding names, or undefined if it does not exist. */
  readonly findPolicy: (name: string) => KubernetesObject | undefined;
}

/**
 * Returns why the author of a policy or binding may not use its parameters, which the policy could show him in a message;
 * undefined if he may read them or the object has none (registry admissionregistration `authz.go`).
 */
export function parameterPermissionError(
  { kind, object, old }: WrittenPolicy,
  author: PolicyAuthor,
): FieldError | undefined {
  if (author.user.groups?.includes('system:masters')) return undefined;
  const spec = member(object, 'spec');
  if (kind.endsWith('AdmissionPolicy')) {
    const paramKind = member(spec, 'paramKind');
    const before = member(member(old, 'spec'), 'paramKind');
    if (isAbsent(paramKind) || isSameKind(paramKind, before)) return undefined;
    return errorAt('spec.paramKind', kindProblem(paramKind, author));
  }
  // kube-apiserver compares the old and new paramRef by the addresses of their members, which always differ.
  if (!kind.endsWith('AdmissionPolicyBinding') || isAbsent(member(spec, 'paramRef'))) {
    return undefined;
  }
  return errorAt('spec.paramRef', referenceProblem(kind, spec, author));
}

function errorAt(path: string, problem: string | undefined): FieldError | undefined {
  return problem === undefined ? undefined : forbidden(path, problem);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isSameKind(one: unknown, other: unknown): boolean {
  return (
    !isAbsent(other) &&
    ['apiVersion', 'kind'].every((name) => memberText(one, name) === memberText(other, name))
  );
}

function kindProblem(paramKind: unknown, author: PolicyAuthor): string | undefined {
  const { group, resource } = readResource(paramKind, author.schemas);
  if (isAllowed(author, 'get', { group, resource, namespace: '*', name: '*' })) return undefined;
  const kind = memberText(paramKind, 'kind');
  const apiVersion = memberText(paramKind, 'apiVersion');
  return `user ${userText(author.user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
}

function referenceProblem(kind: string, spec: unknown, author: PolicyAuthor): string | undefined {
  const policyName = memberText(spec, 'policyName');
  const policy = author.findPolicy(policyName);
  const paramKind = member(member(policy, 'spec'), 'paramKind');
  const { group, resource, problem } = isAbsent(paramKind)
    ? everything
    : readResource(paramKind, author.schemas);
  const reference = member(spec, 'paramRef');
  const name = memberText(reference, 'name');
  const verb = name === '' ? 'list' : 'get';
  const namespace = memberText(reference, 'namespace');
  if (isAllowed(author, verb, { group, resource, namespace, name })) return undefined;
  const user = userText(author.user);
  const why = policy === undefined ? `get policy ${policyName}` : problem;
  if (why !== undefined) {
    return `unable to ${why} to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`;
  }
  // kube-apiserver mixes up the two where the policy mutates.
  const [first, second] = kind.startsWith('Mutating') ? [verb, user] : [user, verb];
  return `user ${first} does not have "${second}" permission on the object referenced by paramRef`;
}

interface ReadResource {
  readonly group: string;
  readonly resource: string;
  /** The step that failed to find the resource. */
  readonly problem?: string;
}

const everything: ReadResource = { group: '*', resource: '*' };

function readResource(paramKind: unknown, schemas: Schemas): ReadResource {
  const apiVersion = memberText(paramKind, 'apiVersion');
  const kind = memberText(paramKind, 'kind');
  const shown = `paramKind &{${apiVersion} ${kind}}`;
  const parsed = parseGroupVersion(apiVersion);
  if (parsed === undefined) return { ...everything, problem: `parse ${shown}` };
  const found = findResourceOfKind(schemas, { ...parsed, kind });
  const { group } = parsed;
  return found === undefined
    ? { group, resource: '*', problem: `resolve ${shown}` }
    : { group, resource: found.resource };
}

function isAllowed(
  { user, authorizer }: PolicyAuthor,
  verb: string,
  wanted: Readonly<Record<'group' | 'resource' | 'namespace' | 'name', string>>,
): boolean {
  const { username = '', uid, groups, extra } = user;
  const { decision } = authorizer.authorize({
    kind: 'resource',
    user: {
      username,
      ...(uid === undefined ? {} : { uid }),
      ...(groups ? { groups } : {}),
      ...(extra ? { extra } : {}),
    },
    verb,
    subresource: '',
    ...wanted,
  });
  return decision === 'allow';
}

// A user as Go prints `*user.DefaultInfo`.
function userText({ username = '', uid = '', groups, extra }: UserInfo): string {
  const entries = Object.entries(extra ?? {}).sort(([a], [b]) => compareText(a, b));
  const extras = entries.map(([key, values]) => `${key}:[${values.join(' ')}]`).join(' ');
  return `&{${username} ${uid} [${(groups ?? []).join(' ')}] map[${extras}]}`;
}
