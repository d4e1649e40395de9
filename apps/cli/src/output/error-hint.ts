/** Returns a hint for fixing an error of an expression, or `undefined` for other errors. */
export function errorHint(message: string): string | undefined {
  const key = /no such key: (\S+)/.exec(message)?.[1];
  if (key !== undefined) {
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
  if (/failed to find resource referenced by paramKind/.test(message)) {
    return 'add the CustomResourceDefinition of the paramKind to the inputs';
  }
  return undefined;
}
