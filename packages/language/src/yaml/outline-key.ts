/** The name that a key's text is for: without quotes. */
export function plainKey(text: string): string {
  const trimmed = text.trim();
  if (/^"[\s\S]*"$/.test(trimmed)) return trimmed.slice(1, -1).replace(/\\(["\\/])/g, '$1');
  return /^'[\s\S]*'$/.test(trimmed) ? trimmed.slice(1, -1).replaceAll("''", "'") : trimmed;
}
