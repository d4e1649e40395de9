/** The type of a JSON value as the errors of Go's `encoding/json` name it (`json.UnmarshalTypeError`). */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'object';
}
