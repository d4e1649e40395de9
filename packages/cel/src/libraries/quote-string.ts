const special = /["\\\u0007-\r\ud800-\udfff]/;
const escapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** `strings.quote(text)`: in double quotes with CEL's named escapes; other characters are unchanged. */
export function quoteString(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) {
    quoted += escapes.get(character) ?? (isLoneSurrogate(character) ? '\ufffd' : character);
  }
  return `${quoted}"`;
}

function isLoneSurrogate(character: string): boolean {
  return /^\p{Surrogate}$/u.test(character);
}
