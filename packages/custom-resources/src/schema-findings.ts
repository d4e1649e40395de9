import { requireArgument, requireText } from '@kubeadmit/go/internal';
import type { StructuralSchema } from '@kubeadmit/schemas/internal';
import { findingText } from './finding.ts';
import { validateValue } from './schema/validate-value.ts';
import { violationFinding } from './schema/value-result.ts';

/**
 * What kube-apiserver finds wrong with a value in a custom resource by the schema of its place alone:
 * without list types and rules.
 *
 * @param path the path of the value in the texts, such as `spec.size`.
 * @throws TypeError for a schema that was not read: it would find nothing wrong.
 */
export function schemaFindings(schema: StructuralSchema, path: string, value: unknown): string[] {
  requireArgument('schemaFindings', schema, { what: 'a structural schema' });
  requireText('schemaFindings', path);
  if (schema.source === undefined) {
    throw new TypeError(
      'schemaFindings takes a structural schema that was read, as of a definition',
    );
  }
  const { violations } = validateValue(schema.source, path, value);
  return violations.map((violation) => findingText(violationFinding('', violation)));
}
