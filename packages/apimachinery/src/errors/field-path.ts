/** A path as field errors write it (apimachinery `field.Path`): `spec.rules[0].name`. */
export function formatFieldPath(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}
