const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
// The common case: nothing to escape.
const plainAscii = /^[ !#-[\]-~]*$/;

const namedEscapes: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

/** Puts a string into double quotes as Go's `%q` and `strconv.Quote` do. */
export function quoteGo(text: string): string {
  if (plainAscii.test(text)) {
    return `"${text}"`;
  }
  let quoted = '"';
  for (const character of text) {
    quoted += escapeGo(character);
  }
  return `${quoted}"`;
}

function escapeGo(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const named = namedEscapes.get(code);
  if (named !== undefined) {
    return named;
  }
  if (code < 0x20 || code === 0x7f) {
    return `\\x${hex(code, 2)}`;
  }
  if (code >= 0xd800 && code <= 0xdfff) {
    return '\ufffd';
  }
  if (code < 0x7f || printable.test(character)) {
    return character;
  }
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}

/** Quotes as CEL's `strings.quote`: CEL's named escapes, everything else as it is. */
export function quoteCel(text: string): string {
  if (plainAscii.test(text)) {
    return `"${text}"`;
  }
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    quoted += namedEscapes.get(code) ?? (isSurrogate(code) ? '\ufffd' : character);
  }
  return `${quoted}"`;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
