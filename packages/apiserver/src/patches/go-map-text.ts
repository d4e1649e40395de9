/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`. */
export function goMapText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goMapText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, own]) => `${key}:${goMapText(own)}`).join(' ')}]`;
}
