// A surrogate without its other half is decoded as U+FFFD.
/** The code point at an offset, or -1 at the end. */
export function codePointAt(text: string, position: number): number {
  const code = text.codePointAt(position) ?? -1;
  return code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
}

/** The code point before an offset, or -1 at the beginning. */
export function codePointBefore(text: string, position: number): number {
  if (position === 0) return -1;
  const unit = text.charCodeAt(position - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && position > 1;
  const pair = isLow ? (text.codePointAt(position - 2) ?? unit) : unit;
  const code = pair > 0xffff ? pair : unit;
  return code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
}
