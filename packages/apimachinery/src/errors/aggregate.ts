/**
 * Joins the texts of several errors (apimachinery `errors.Aggregate`): one stands alone, several are listed
 * in brackets, and repeated texts count once.
 */
export function formatAggregate(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const first = distinct[0];
  if (first === undefined) return '';
  return texts.length === 1 || distinct.length === 1 ? first : `[${distinct.join(', ')}]`;
}
