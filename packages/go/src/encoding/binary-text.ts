const longestCall = 8192;

/** A text with a character for each byte. It is made in pieces, since a call takes only so many arguments. */
export function binaryText(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += longestCall) {
    text += String.fromCharCode(...bytes.subarray(start, start + longestCall));
  }
  return text;
}
