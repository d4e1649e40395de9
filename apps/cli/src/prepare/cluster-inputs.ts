import { formatGroupVersion, listOf, member } from '@kubeadmit/apimachinery';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { parseJson, stringifyJson } from '@kubeadmit/go';
import type { GivenManifest } from '@kubeadmit/lint';
import type { Role } from '@kubeadmit/lint/inputs';
import { objectKey } from '@kubeadmit/lint/unstable-internal';
import {
  type InputProblem,
  isRecord,
  type Manifest,
  readManifests,
  Source,
} from '@kubeadmit/manifest';
import type { ClusterReader, ServedResource } from '../input/elsewhere/kubectl.ts';

/** The resources that decide, or are looked up, by group and version, the newest first. */
const policyGroup = 'admissionregistration.k8s.io';
const wanted: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['', ['v1'], ['namespaces']],
  ['apiextensions.k8s.io', ['v1'], ['customresourcedefinitions']],
  [
    'rbac.authorization.k8s.io',
    ['v1'],
    ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'],
  ],
];
const policies: typeof wanted = [
  [
    policyGroup,
    ['v1', 'v1beta1', 'v1alpha1'],
    [
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
    ],
  ],
  ['kyverno.io', ['v1'], ['clusterpolicies', 'policies']],
  [
    'policies.kyverno.io',
    ['v1', 'v1beta1', 'v1alpha1'],
    [
      'validatingpolicies',
      'namespacedvalidatingpolicies',
      'mutatingpolicies',
      'namespacedmutatingpolicies',
    ],
  ],
];
const exceptions: typeof wanted = [
  ['kyverno.io', ['v2'], ['policyexceptions']],
  ['policies.kyverno.io', ['v1', 'v1beta1', 'v1alpha1'], ['policyexceptions']],
];

/** Which objects of a cluster decide about requests. */
export interface ClusterOptions {
  /** Whether its own policies act; those of local files always do. */
  readonly withPolicies: boolean;
  /** Local objects: the cluster's objects of the same name are ignored. */
  readonly local: readonly GivenManifest[];
  /**
   * The namespace whose PolicyExceptions apply, `*` for all; default none, as with Kyverno's `--exceptionNamespace`:
   * users who may create a PolicyException can exempt objects from a policy.
   */
  readonly exceptionNamespace?: string | undefined;
  /** Receives the exceptions that apply, and the number of those that do not. */
  readonly note: (problem: InputProblem) => void;
}

/**
 * Namespaces, definitions and RBAC of a cluster, its policies with their bindings, and the parameters of all policies.
 *
 * @throws CommandFailure where it cannot be reached.
 */
export function clusterInputs(
  cluster: ClusterReader,
  options: ClusterOptions,
): readonly GivenManifest[] {
  const { withPolicies, local } = options;
  const known = new Set(local.map(({ manifest }) => objectKey(manifest)));
  const takeNew = (manifests: readonly Manifest[]): Manifest[] =>
    manifests.filter((manifest) => {
      const key = objectKey(manifest);
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    });
  const take = (resources: Iterable<ServedResource>): Manifest[] =>
    takeNew([...resources].flatMap((resource) => [...manifestsOf(cluster, resource)].flat()));
  const served = servedOf(cluster, withPolicies ? [...wanted, ...policies] : wanted);
  const held = [...take(served), ...takeNew(appliedExceptions(cluster, options))];
  const all = [...local.map(({ manifest }) => manifest), ...held];
  const parameters = take(parameterResources(cluster, all));
  return [...held, ...parameters].map((manifest) => ({ manifest, role: 'cluster' as Role }));
}

/** Returns the PolicyExceptions of the cluster that apply, and reports them. */
function appliedExceptions(
  cluster: ClusterReader,
  { withPolicies, exceptionNamespace, note }: ClusterOptions,
): readonly Manifest[] {
  if (!withPolicies && exceptionNamespace === undefined) return [];
  const namespace = exceptionNamespace === '*' ? undefined : exceptionNamespace;
  const found = [...servedOf(cluster, exceptions)].flatMap((resource) =>
    [...manifestsOf(cluster, resource, namespace)].flat(),
  );
  if (found.length === 0) return [];
  const tell = (message: string): void => note({ file: `cluster ${cluster.name}`, message });
  if (exceptionNamespace === undefined) {
    tell(
      `PolicyExceptions do not apply without --exception-namespace; the cluster has ${found.length}`,
    );
    return [];
  }
  const keys = found.map(({ namespace: within, name }) => `${within}/${name}`).sort();
  tell(`these PolicyExceptions apply: ${keys.join(', ')}`);
  return found;
}

/** Yields the objects of a resource of a cluster, page by page, without the fields that only its server uses. */
export function* manifestsOf(
  cluster: ClusterReader,
  resource: ServedResource,
  namespace?: string,
): Generator<readonly Manifest[]> {
  const { group, version, plural, kind } = resource;
  const apiVersion = formatGroupVersion({ group, version });
  for (const page of cluster.pages(resource, namespace)) {
    const items = member(parseJson(page, { numbers: kubernetesNumbers }), 'items');
    yield listOf(items).flatMap((item: unknown) => {
      if (!isRecord(item)) return [];
      const { managedFields: _managed, ...metadata } = isRecord(item['metadata'])
        ? item['metadata']
        : {};
      const { name, namespace: within } = metadata as { name?: unknown; namespace?: unknown };
      const path = [plural, within, name].filter((part) => part !== undefined).join('/');
      const text = stringifyJson({ apiVersion, kind, ...item, metadata }, { indent: 2 });
      return readManifests(new Source(`${cluster.name}:${path}`, text)).manifests;
    });
  }
}

function* servedOf(cluster: ClusterReader, groups: typeof wanted): Generator<ServedResource> {
  for (const [group, versions, plurals] of groups) {
    for (const plural of plurals) {
      for (const version of versions) {
        const served = cluster
          .resourcesOf(formatGroupVersion({ group, version }))
          .find((each) => each.plural === plural);
        if (served === undefined) continue;
        yield served;
        break;
      }
    }
  }
}

function* parameterResources(
  cluster: ClusterReader,
  manifests: readonly Manifest[],
): Generator<ServedResource> {
  const seen = new Set<string>();
  for (const { group, object } of manifests) {
    const paramKind =
      group === policyGroup ? member(member(object, 'spec'), 'paramKind') : undefined;
    const apiVersion = member(paramKind, 'apiVersion');
    const kind = member(paramKind, 'kind');
    const key = `${String(apiVersion)} ${String(kind)}`;
    if (typeof apiVersion !== 'string' || seen.has(key)) continue;
    seen.add(key);
    const served = cluster.resourcesOf(apiVersion).find((each) => each.kind === kind);
    if (served !== undefined) yield served;
  }
}
