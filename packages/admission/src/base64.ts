/** Encodes the UTF-8 bytes of a text in base64, with padding (RFC 4648). */
export function base64OfText(text: string): string {
  // Characters of one byte are their own bytes, and patches seldom have others.
  if (isAscii(text)) return btoa(text);
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

function isAscii(text: string): boolean {
  for (let place = 0; place < text.length; place++) if (text.charCodeAt(place) > 0x7f) return false;
  return true;
}
