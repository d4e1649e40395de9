const concerned = /[<>&\u2028\u2029]|\\ud[89a-f]/;
// Escapes are taken whole, so that a backslash that is escaped itself begins none.
const escapes = /\\(?:ud[89a-f][0-9a-f]{2}|.)|[<>&\u2028\u2029]/g;

/**
 * A JSON text that `JSON.stringify` wrote as Go's encoding/json writes it: `<`, `>`, `&` and the two line separators of
 * Unicode as `\u003c` and so on, a lone surrogate as `\ufffd`.
 */
export function escapeJson(json: string): string {
  if (!concerned.test(json)) return json;
  return json.replace(escapes, (found) => {
    if (found.startsWith('\\ud')) return '\\ufffd';
    return found.startsWith('\\')
      ? found
      : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Writes a text as a JSON string as Go's encoding/json does. */
export function quoteJson(text: string): string {
  return escapeJson(JSON.stringify(text));
}
