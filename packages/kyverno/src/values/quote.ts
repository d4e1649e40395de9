const plainText =
  /^[ -!#-[\]-~\u00a1-\u00ac\u00ae-\u024f\u0370-\u03ff\u0400-\u04ff\u4e00-\u9fff]*$/;

const named: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
]);

/** A text in double quotes as Go's `%q` writes it. */
export function quoteGo(text: string): string {
  if (plainText.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += character === '"' ? '\\"' : escaped(character, false);
  return `${quoted}"`;
}

/** A text in double quotes as Go's `time` quotes it: everything but plain ASCII byte by byte. */
export function quoteBytes(text: string): string {
  let quoted = '"';
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character;
  }
  return `${quoted}"`;
}

/** A character in single quotes with ASCII only, as Go's `strconv.QuoteRuneToASCII` writes it. */
export function quoteCharacter(character: string): string {
  return `'${character === "'" ? "\\'" : escaped(character, true)}'`;
}

function escaped(character: string, asciiOnly: boolean): string {
  const name = named.get(character);
  if (name !== undefined) return name;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return character;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (!asciiOnly && /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) return character;
  if (code >= 0xd800 && code <= 0xdfff) return asciiOnly ? '\\ufffd' : '\ufffd';
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
