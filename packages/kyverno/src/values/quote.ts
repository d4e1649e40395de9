import { encodeUtf8 } from '@kubeadmit/go';
/** A text in double quotes as Go's `time` quotes it: everything but plain ASCII byte by byte. */
export function quoteBytes(text: string): string {
  let quoted = '"';
  for (const byte of encodeUtf8(text)) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character;
  }
  return `${quoted}"`;
}
