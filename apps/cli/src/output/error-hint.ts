/**
 * Returns a hint for fixing an error of an expression, or `undefined` for other errors.
 *
 * @param operation the operation of the request, such as `DELETE`
 */
export function errorHint(message: string, operation: string): string | undefined {
  const key = /no such key: (\S+)/.exec(message)?.[1];
  if (key !== undefined) {
    const root = nullRoot(message, key, operation);
    if (root !== undefined) {
      return `\`${root}\` is null for ${operation}; test \`${root} != null\` or \`request.operation\` first`;
    }
    return `\`${key}\` does not exist; test it first with \`has(x.${key})\`, or read \`x.?${key}.orValue(…)\``;
  }
  const index = /index out of bounds: (\S+)/.exec(message)?.[1];
  if (index !== undefined) {
    return `the list has no element ${index}; test its \`size()\` first, or read \`x[?${index}]\``;
  }
  if (/no such overload/.test(message)) {
    return 'a value is null or has a type that the function does not accept; compare it with null first, or convert it';
  }
  if (/cost limit|budget|operation cancelled/.test(message)) {
    return 'the expression exceeds its cost limit; iterate over fewer elements, or put cheap conditions first';
  }
  if (/no params found for policy binding/.test(message)) {
    return 'add the parameters that the binding names to the inputs';
  }
  if (/failed to find resource referenced by paramKind/.test(message)) {
    return 'add the CustomResourceDefinition of the paramKind to the inputs';
  }
  return undefined;
}

/** The fields that every object has or may have at its top. */
const topFields: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  'status',
]);

/** The variable of the failed expression that is null for an operation, if its first field is missing because of that. */
function nullRoot(message: string, key: string, operation: string): string | undefined {
  const root = operation === 'DELETE' ? 'object' : operation === 'CREATE' ? 'oldObject' : undefined;
  if (root === undefined || !topFields.has(key)) return undefined;
  return new RegExp(`(?<![\\w.])${root}\\.${key}\\b`).test(message) ? root : undefined;
}
