/** Whether a value is an object with members: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names what a value is, for whoever gave a wrong one: `a list`, `the string "pods"`, `a Promise (await it)`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a Promise (await it)';
  switch (typeof value) {
    case 'string':
      return value.length > 40 ? 'a string' : `the string ${JSON.stringify(value)}`;
    case 'object':
      return 'an object';
    case 'function':
      return 'a function';
    default:
      return `the ${typeof value} ${String(value)}`;
  }
}
