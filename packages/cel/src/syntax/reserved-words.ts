/** Keywords of the grammar: they are neither identifiers nor field names. */
export const keywords: ReadonlySet<string> = new Set(['false', 'in', 'null', 'true']);

/** Identifiers that the language keeps for later versions; fields can have these names. */
export const reservedIdentifiers: ReadonlySet<string> = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['namespace', 'package', 'return', 'var', 'void', 'while'],
]);

/** Whether a word cannot be the name of a variable. */
export function isReservedWord(word: string): boolean {
  return keywords.has(word) || reservedIdentifiers.has(word);
}
