/** The values that differ between any two servers, and their replacements. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4}(?: UTC)?)?/g, 'TIME'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/(resourceVersion\\?"?: ?\\?"?)\d+/g, '$1N'],
  [/Resource Version: +\d+/g, 'Resource Version: N'],
  [/"continue":"[^"]+"/g, '"continue":"…"'],
  [/https:\/\/127\.0\.0\.1:\d+|127\.0\.0\.1:\d+/g, 'SERVER'],
  [/\b10\.\d+\.\d+\.\d+\b/g, 'ADDRESS'],
  [/\/tmp\/(LIVE|MERGED)-\d+/g, '/tmp/$1'],
  [/\b([EWI])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /g, '$1 '],
  // Ages in tables.
  [/(^|\s)(?:\d+[smhdy]){1,2}(?=\s|$)/gm, '$1AGE'],
  [/\bX509SHA256=[0-9a-f]+/g, 'FINGERPRINT'],
  // Widths of columns follow their content.
  [/ {2,}/g, '  '],
  [/ +$/gm, ''],
];

/** A text without the parts that differ between any two servers: identities, times, versions, addresses. */
export function normalize(text: string): string {
  return replacements.reduce((done, [pattern, by]) => done.replaceAll(pattern, by), text);
}
