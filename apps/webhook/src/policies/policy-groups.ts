import { type KubernetesObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';

/** The group of kube-apiserver's own policies. */
const nativeGroup = 'admissionregistration.k8s.io';

/** The group of the policies that clusters without the native kinds can have (`manifests/definitions.yaml`). */
export const ownGroup = 'policies.kubeadmit.dev';

/** The groups of policies in a cluster that are used. */
export interface PolicyGroups {
  readonly native: boolean;
  readonly own: boolean;
  readonly kyverno: boolean;
  /** Whether policies are used that generate or delete objects in the background. */
  readonly background?: boolean | undefined;
  /** The namespace whose PolicyExceptions apply, `*` for all; undefined for none, as in Kyverno's chart. */
  readonly exceptionNamespace?: string | undefined;
}

/** Kinds of one group that are followed, with their resources; the first version that is served counts. */
export interface FollowedGroup {
  readonly group: string;
  readonly versions: readonly string[];
  readonly kinds: ReadonlyMap<string, string>;
}

// Policies and their bindings are the same in both groups.
const policyKinds: ReadonlyMap<string, string> = new Map([
  ['ValidatingAdmissionPolicy', 'validatingadmissionpolicies'],
  ['ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'],
  ['MutatingAdmissionPolicy', 'mutatingadmissionpolicies'],
  ['MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings'],
]);

const exceptionKind = 'PolicyException';
const exceptions: ReadonlyMap<string, string> = new Map([[exceptionKind, 'policyexceptions']]);

const cleanupKinds: ReadonlyMap<string, string> = new Map([
  ['ClusterCleanupPolicy', 'clustercleanuppolicies'],
  ['CleanupPolicy', 'cleanuppolicies'],
]);

const backgroundKinds: ReadonlyMap<string, string> = new Map([
  ['GeneratingPolicy', 'generatingpolicies'],
  ['NamespacedGeneratingPolicy', 'namespacedgeneratingpolicies'],
  ['DeletingPolicy', 'deletingpolicies'],
  ['NamespacedDeletingPolicy', 'namespaceddeletingpolicies'],
]);

function kyvernoGroups({
  exceptionNamespace,
  background = false,
}: PolicyGroups): readonly FollowedGroup[] {
  const more = exceptionNamespace === undefined ? [] : exceptions;
  return [
    {
      group: 'kyverno.io',
      versions: ['v1', 'v2', 'v2beta1', 'v2alpha1'],
      kinds: new Map([
        ['ClusterPolicy', 'clusterpolicies'],
        ['Policy', 'policies'],
        ['GlobalContextEntry', 'globalcontextentries'],
        ...more,
        ...(background ? cleanupKinds : []),
      ]),
    },
    {
      group: 'policies.kyverno.io',
      versions: ['v1', 'v1beta1', 'v1alpha1'],
      kinds: new Map([
        ['ValidatingPolicy', 'validatingpolicies'],
        ['MutatingPolicy', 'mutatingpolicies'],
        ['ImageValidatingPolicy', 'imagevalidatingpolicies'],
        ['NamespacedValidatingPolicy', 'namespacedvalidatingpolicies'],
        ['NamespacedMutatingPolicy', 'namespacedmutatingpolicies'],
        ['NamespacedImageValidatingPolicy', 'namespacedimagevalidatingpolicies'],
        ...more,
        ...(background ? backgroundKinds : []),
      ]),
    },
  ];
}

/**
 * The path of a resource below that of its group and version. PolicyExceptions are followed in one namespace, unless
 * those of all namespaces apply.
 */
export function followedPath(
  kind: string,
  resource: string,
  { exceptionNamespace }: PolicyGroups,
): string {
  const isLimited = kind === exceptionKind && exceptionNamespace !== '*';
  return isLimited ? `namespaces/${exceptionNamespace}/${resource}` : resource;
}

/** The path of a Kyverno policy that is followed, in its version; undefined for other objects. */
export function policyPath(object: KubernetesObject): string | undefined {
  const named = kindOfObject(object);
  const groups = kyvernoGroups({ native: false, own: false, kyverno: true, background: true });
  const resource = groups.find(({ group }) => group === named?.group)?.kinds.get(named?.kind ?? '');
  if (named === undefined || resource === undefined) return undefined;
  const [namespace, name] = [metadataString(object, 'namespace'), metadataString(object, 'name')];
  const place = namespace === '' ? '' : `namespaces/${namespace}/`;
  return `/apis/${String(object['apiVersion'])}/${place}${resource}/${name}`;
}

/** Whether the objects of a kind are followed in a namespace. */
export function isFollowedNamespace(
  kind: string,
  namespace: string,
  { exceptionNamespace }: PolicyGroups,
): boolean {
  return kind !== exceptionKind || exceptionNamespace === '*' || exceptionNamespace === namespace;
}

/** The groups that are followed. */
export function followedGroups(groups: PolicyGroups): readonly FollowedGroup[] {
  const { native, own, kyverno } = groups;
  const versions = ['v1', 'v1beta1', 'v1alpha1'];
  return [
    ...(native ? [{ group: nativeGroup, versions, kinds: policyKinds }] : []),
    ...(own ? [{ group: ownGroup, versions, kinds: policyKinds }] : []),
    ...(kyverno ? kyvernoGroups(groups) : []),
  ];
}

/** A policy of our own group as the native one that it is in all but its group. */
export function asNative(object: KubernetesObject): KubernetesObject {
  return String(object['apiVersion']).startsWith(`${ownGroup}/`)
    ? { ...object, apiVersion: `${nativeGroup}/v1` }
    : object;
}
