import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { unknownKindText } from '../inputs/configuration.ts';
import { isUnserved } from '../inputs/refused-objects.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/**
 * Reports objects of kinds that the server certainly does not serve, so that it rejects them. Kinds of other groups may
 * have a definition that is not among the inputs.
 */
export function unknownKinds(manifests: readonly Manifest[], schemas: Schemas): LintIssue[] {
  return manifests
    .filter((manifest) => isUnserved(manifest, schemas))
    .map((manifest) =>
      issueAt(manifest, 'kind', {
        code: 'unknown-kind',
        severity: 'error',
        message: unknownKindText(manifest, schemas),
      }),
    );
}
