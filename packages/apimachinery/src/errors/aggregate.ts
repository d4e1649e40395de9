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
