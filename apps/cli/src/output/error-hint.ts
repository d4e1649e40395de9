/** Returns a hint for fixing an error of an expression, or `undefined` for other errors. */
export function errorHint(message: string): string | undefined {
  const key = /no such key: (\S+)/.exec(message)?.[1];
  if (key !== undefined) {
    return `\`${key}\` is not there: ask for it before, as by \`has(x.${key})\`, or read \`x.?${key}.orValue(…)\``;
  }
  const index = /index out of bounds: (\S+)/.exec(message)?.[1];
  if (index !== undefined) {
    return `the list has no element ${index}: ask for its \`size()\` before, or read \`x[?${index}]\``;
  }
  if (/no such overload/.test(message)) {
    return 'a value has another type than the function takes, or is null: compare it with null before, or convert it';
  }
  if (/cost limit|budget|operation cancelled/.test(message)) {
    return 'the expression costs more than it may: go over less, or put conditions that are cheap before those that are not';
  }
  if (/failed to find resource referenced by paramKind/.test(message)) {
    return 'add the CustomResourceDefinition of the paramKind to the inputs';
  }
  return undefined;
}
