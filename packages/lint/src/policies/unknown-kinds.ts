import { policyGroup } from '@kubeadmit/engine/internal';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { isKnown, unknownKindText } from '../inputs/configuration.ts';
import { isBuiltinGroup } from '../inputs/kind-hints.ts';
import { issueAt, type LintIssue } from '../issue.ts';
import { kyvernoRole } from '../kyverno/kinds.ts';

/**
 * Reports objects in groups of Kubernetes whose kinds are unknown, so that nothing else is reported about them;
 * among policies that is an error.
 */
export function unknownKinds(manifests: readonly Manifest[], schemas: Schemas): LintIssue[] {
  return manifests
    .filter(
      (manifest) =>
        isBuiltinGroup(schemas, manifest.group) &&
        !isKnown(manifest, schemas) &&
        kyvernoRole(manifest) === undefined,
    )
    .map((manifest) =>
      issueAt(manifest, 'kind', {
        code: 'unknown-kind',
        severity: manifest.group === policyGroup ? 'error' : 'warning',
        message: unknownKindText(manifest, schemas),
      }),
    );
}
