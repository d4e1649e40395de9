import type { StructuralSchema } from '@kubeadmit/schemas/internal';
import { findingText } from './finding.ts';
import { validateValue } from './schema/validate-value.ts';
import { violationFinding } from './schema/value-result.ts';

/**
 * What kube-apiserver finds wrong with a value in a custom resource by the schema of its place alone:
 * without list types and rules.
 *
 * @param path the path of the value in the texts, such as `spec.size`.
 */
export function schemaFindings(schema: StructuralSchema, path: string, value: unknown): string[] {
  const { violations } = validateValue(schema.source, path, value);
  return violations.map((violation) => findingText(violationFinding('', violation)));
}
