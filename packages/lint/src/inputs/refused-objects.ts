import {
  formatGroupVersion,
  type JsonObject,
  type KubernetesObject,
  member,
  objectOf,
} from '@kubeadmit/apimachinery';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { storeCustomResource } from '@kubeadmit/custom-resources';
import { parseVersion } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import {
  decode,
  findResourceOfKind,
  listResources,
  otherVersionsOf,
  type Schemas,
} from '@kubeadmit/schemas';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { isKnown, unknownKindText } from './configuration.ts';
import { definitionsAmong } from './definitions.ts';
import { isBuiltinGroup } from './kind-hints.ts';
import { groupOfMisplacedPolicy } from './misplaced-policy.ts';
import { refusalProblems } from './refusal-problems.ts';

type ObjectIssue = LintIssue & { readonly manifest: Manifest };

/**
 * Objects that the server would not store, with the reason: kinds that it does not serve, and custom resources that do
 * not fit their definition. Values of the wrong type are left to `loadCluster`, which reports them for every object.
 */
export function refusedObjects(
  manifests: readonly Manifest[],
  schemas: Schemas,
): readonly ObjectIssue[] {
  const definitions = new Set(definitionsAmong(manifests));
  return manifests.flatMap((manifest) => {
    if (isUnserved(manifest, schemas)) {
      return [unservedIssue(manifest, unknownKindText(manifest, schemas))];
    }
    return definitions.has(manifest) ? [] : misfits(manifest, schemas);
  });
}

/** Kinds that the newer server of a pair serves and the older one does not. */
export function unservedBefore(
  manifests: readonly Manifest[],
  schemas: Schemas,
  oldest: string,
): readonly ObjectIssue[] {
  const version = `1.${parseVersion(oldest)}`;
  return manifests.flatMap((manifest) => {
    const { group, kind, apiVersion } = manifest;
    const homes = otherVersionsOf(kind, group);
    const home = homes.find((each) => each.apiVersion === apiVersion);
    if (home === undefined || home.kubernetesVersions.includes(version)) return [];
    const text = unknownKindText(manifest, { ...schemas, version });
    return [unservedIssue(manifest, `Kubernetes ${version} rejects this: ${text}`)];
  });
}

function unservedIssue(manifest: Manifest, message: string): ObjectIssue {
  const issue = issueAt(manifest, 'kind', { code: 'unknown-kind', severity: 'error', message });
  return { ...issue, manifest, refused: true };
}

/** Whether the server certainly has no resource of this kind and version; custom kinds may lack their definition. */
export function isUnserved(manifest: Manifest, schemas: Schemas): boolean {
  if (isKnown(manifest, schemas) || kyvernoRole(manifest) !== undefined) return false;
  const { group, kind } = manifest;
  return (
    groupOfMisplacedPolicy(manifest) !== undefined ||
    isBuiltinGroup(schemas, group) ||
    formerGroups.has(group) ||
    otherVersionsOf(kind, group).length > 0 ||
    listResources(schemas).some((each) => each.group === group && each.kind === kind)
  );
}

/** Groups of Kubernetes that no supported version serves. */
const formerGroups: ReadonlySet<string> = new Set([
  'auditregistration.k8s.io',
  'extensions',
  'settings.k8s.io',
]);

/** Why the definition of a custom resource does not accept it. */
function misfits(manifest: Manifest, schemas: Schemas): readonly ObjectIssue[] {
  const { group, version, kind, object: given } = manifest;
  const named = { group, version, kind };
  const resource = findResourceOfKind(schemas, named);
  if (resource?.definition === undefined) return [];
  const { object, error } = decode(schemas, inSomeNamespace(given, resource.namespaced));
  const resourceName = `${kind}/${manifest.name}`;
  const refusal =
    error === undefined
      ? storeCustomResource({ kind: named, object }, schemas)?.refusal
      : { message: error };
  if (refusal === undefined) return [];
  const causes = 'details' in refusal ? (refusal.details?.causes ?? []) : [];
  // The server adds a finding without a field where it stopped early.
  const fields = causes
    .filter(({ field }) => field !== undefined && field !== '<nil>')
    .map(({ field, message }) => `${field}: ${message ?? ''}`);
  const problems = refusalProblems(manifest, {
    resource: resourceName,
    message: `${formatGroupVersion({ group, version })} ${kind}: ${refusal.message ?? ''}`,
    fields,
  });
  return problems.map((problem) => ({ ...problem, manifest, severity: 'error', refused: true }));
}

/** The server takes the namespace of the request where an object names none. */
function inSomeNamespace(object: KubernetesObject, isNamespaced: boolean): JsonObject {
  const metadata = objectOf(member(object, 'metadata'));
  if (!isNamespaced || metadata['namespace'] !== undefined) return object;
  return { ...object, metadata: { ...metadata, namespace: 'default' } };
}
