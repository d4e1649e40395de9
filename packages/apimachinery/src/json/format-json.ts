/**
 * Formats a value as JSON as Go's encoding/json does: compact, with `<`, `>`, `&` and the line
 * separators escaped.
 */
export function formatJson(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029\b\f]|\\b|\\f/g, (found) => {
    if (found === '\\b' || found === '\\f') return found;
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
