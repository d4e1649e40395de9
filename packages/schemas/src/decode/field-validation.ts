/** How the server treats unknown fields; clients select it with `fieldValidation`. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Returns the error or the warnings for unknown fields. */
export function findingsOf(
  unknownFields: readonly string[],
  fieldValidation: FieldValidation = 'Ignore',
): { readonly error: string } | { readonly error?: never; readonly warnings?: readonly string[] } {
  if (fieldValidation === 'Ignore') return {};
  const findings = unknownFields.map(unknownFieldWarning);
  if (fieldValidation === 'Warn') return { warnings: findings };
  return findings.length > 0 ? { error: `strict decoding error: ${findings.join(', ')}` } : {};
}

/** The server's words for a field that a kind does not have. */
export function unknownFieldWarning(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}
