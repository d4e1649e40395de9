import { listOf, member } from '@kubeadmit/apimachinery';
import { describeValue, hasMembers, requireArgument, requireList } from '@kubeadmit/base';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { isReview } from '@kubeadmit/chain/requests';
import { policyGroup } from '@kubeadmit/engine';
import type { Manifest, ManifestObject } from '@kubeadmit/manifest';

/**
 * Where a manifest came from: `-p`, `-r`, `--static-manifests`, a cluster that holds it, or an argument that may hold
 * anything.
 */
export type Role = 'policies' | 'resources' | 'static' | 'cluster' | 'any';

/** A manifest with the role of the path that it was read from. */
export interface GivenManifest {
  /** The object with its place. */
  readonly manifest: Manifest;
  /** The role that the user gave it. */
  readonly role: Role;
}

/** The manifests of one check by their purpose. */
export interface Inputs {
  /** Native policies. */
  readonly policies: readonly Manifest[];
  /** Their bindings. */
  readonly bindings: readonly Manifest[];
  /** Manifests from the server's own disk: policies and bindings that no request can change. */
  readonly statics: readonly Manifest[];
  /** Policies of Kyverno and exceptions to them. */
  readonly kyverno: readonly Manifest[];
  /** Other objects of the cluster: definitions, namespaces, parameters, RBAC. */
  readonly context: readonly Manifest[];
  /**
   * The objects to check, in the order of the inputs: objects as if they were created, and AdmissionReviews as the
   * requests that they contain.
   */
  readonly subjects: readonly Manifest[];
  /** Objects given as policies that neither are policies nor are used by them. */
  readonly leftovers: readonly Manifest[];
}

const policyKinds = new Set(['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy']);
const bindingKinds = new Set([
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicyBinding',
]);
const contextKinds = new Set(['/Namespace', 'apiextensions.k8s.io/CustomResourceDefinition']);
const rbacGroup = 'rbac.authorization.k8s.io';

const roles: ReadonlySet<unknown> = new Set<Role>([
  'policies',
  'resources',
  'static',
  'cluster',
  'any',
]);

/**
 * Requires a list of manifests with their roles.
 *
 * @throws TypeError for anything else, such as a list of manifests alone
 */
export function requireGiven(call: string, given: readonly GivenManifest[]): void {
  const what = 'manifests with their roles, as in `{ manifest, role: "any" }`';
  const isBare = (each: unknown): boolean => hasMembers(each) && hasMembers(each['origin']);
  const bare = Array.isArray(given) ? given.findIndex(isBare) : -1;
  if (bare >= 0) {
    throw new TypeError(`${call}: expected a list of ${what}, and [${bare}] is a bare manifest`);
  }
  requireList(call, given, { what, has: 'manifest' });
  for (const { manifest, role } of given) {
    requireArgument(`${call}: \`manifest\``, manifest, { what: 'a Manifest', has: 'origin' });
    if (roles.has(role)) continue;
    throw new TypeError(
      `${call}: \`role\` must be one of ${[...roles].join(', ')}, not ${describeValue(role)}`,
    );
  }
}

/**
 * Sorts manifests by kind: policies and bindings, then their dependencies; everything else is checked. Objects of
 * the `paramKind` of a policy, or of a rule of Kyverno, are parameters. RBAC objects are used for `authorizer` and
 * checked, too.
 */
export function sortInputs(all: readonly GivenManifest[]): Inputs {
  requireGiven('sortInputs', all);
  const given = all.filter(({ role }) => role !== 'static');
  const statics = all.filter(({ role }) => role === 'static').map(({ manifest }) => manifest);
  const manifests = given.map(({ manifest }) => manifest);
  const policies = manifests.filter(isPolicy);
  const bindings = manifests.filter(isBinding);
  const parameterKinds = new Set([
    ...policies.flatMap(({ object }) => parameterKindOf(member(object, 'spec'))),
    ...manifests.filter(hasRules).flatMap(({ object }) => parameterKindsOfRules(object)),
  ]);
  const isContext = (manifest: Manifest): boolean =>
    contextKinds.has(kindKey(manifest)) ||
    parameterKinds.has(`${manifest.apiVersion}/${manifest.kind}`);
  const others = given.filter(
    ({ manifest }) =>
      !isPolicy(manifest) && !isBinding(manifest) && kyvernoRole(manifest) === undefined,
  );
  const isHeld = (manifest: Manifest): boolean =>
    !isReview(manifest) && (isContext(manifest) || manifest.group === rbacGroup);
  const isSubject = ({ manifest, role }: GivenManifest): boolean =>
    role === 'resources' || (role === 'any' && (isReview(manifest) || !isContext(manifest)));
  // Policies also apply to static manifests, and to no other policies.
  const isAsked = (one: GivenManifest): boolean => {
    if (kyvernoRole(one.manifest) !== undefined) return false;
    const isNative = isPolicy(one.manifest) || isBinding(one.manifest);
    return isNative ? statics.length > 0 && one.role === 'resources' : isSubject(one);
  };
  return {
    policies,
    bindings,
    statics,
    kyverno: manifests.filter((manifest) => {
      const role = kyvernoRole(manifest);
      return role !== undefined && role !== 'test';
    }),
    context: others.map(({ manifest }) => manifest).filter(isHeld),
    subjects: given.filter(isAsked).map(({ manifest }) => manifest),
    leftovers: others
      .filter((given) => !isSubject(given) && !isHeld(given.manifest))
      .map(({ manifest }) => manifest),
  };
}

export function isPolicy(manifest: Manifest): boolean {
  return manifest.group === policyGroup && policyKinds.has(manifest.kind);
}

export function isBinding(manifest: Manifest): boolean {
  return manifest.group === policyGroup && bindingKinds.has(manifest.kind);
}

/** Returns the identity of an object in a cluster: group, kind, namespace and name. */
export function objectKey(object: Pick<Manifest, 'group' | 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([object.group, object.kind, object.namespace, object.name]);
}

function kindKey(manifest: Manifest): string {
  return `${manifest.group}/${manifest.kind}`;
}

function hasRules(manifest: Manifest): boolean {
  return kyvernoRole(manifest) === 'classic';
}

function parameterKindsOfRules(policy: ManifestObject): string[] {
  const rules = member(member(policy, 'spec'), 'rules');
  return listOf(rules).flatMap((rule) => parameterKindOf(member(member(rule, 'validate'), 'cel')));
}

function parameterKindOf(holder: unknown): string[] {
  const paramKind = member(holder, 'paramKind');
  const apiVersion = member(paramKind, 'apiVersion');
  const kind = member(paramKind, 'kind');
  return typeof apiVersion === 'string' && typeof kind === 'string'
    ? [`${apiVersion}/${kind}`]
    : [];
}
