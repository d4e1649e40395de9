import { requireArgument, requireText } from '@kubeadmit/base';
import type { StructuralSchema } from '@kubeadmit/schemas/definitions';
import { findingText } from './schema/finding.ts';
import { validateValue } from './schema/validate-value.ts';
import { violationFinding } from './schema/value-result.ts';

/**
 * Returns the errors that kube-apiserver reports for a value in a custom resource by its schema alone, without list
 * types and rules.
 *
 * @param path the path of the value in messages, such as `spec.size`.
 * @throws TypeError for a schema that was not read, which would accept everything.
 */
export function schemaFindings(schema: StructuralSchema, path: string, value: unknown): string[] {
  requireArgument('schemaFindings', schema, { what: 'a structural schema' });
  requireText('schemaFindings', path);
  if (schema.source === undefined) {
    throw new TypeError(
      'schemaFindings: expected a structural schema, such as that of a definition',
    );
  }
  const { violations } = validateValue(schema.source, path, value);
  return violations.map((violation) => findingText(violationFinding('', violation)));
}
