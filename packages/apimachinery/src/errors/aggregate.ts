/**
 * Joins the messages of several errors (apimachinery `errors.Aggregate`): a single one is returned unchanged,
 * several are listed in brackets, and repeated ones count once.
 */
export function formatAggregate(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const first = distinct[0];
  if (first === undefined) return '';
  return texts.length === 1 || distinct.length === 1 ? first : `[${distinct.join(', ')}]`;
}

/** A path as field errors write it (apimachinery `field.Path`): `spec.rules[0].name`. */
export function formatFieldPath(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}
