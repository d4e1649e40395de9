// As deep as Go's encoding/json reads, so as deep as kube-apiserver could send.
const deepest = 10_000;

const quote = 0x22;
const backslash = 0x5c;

/** Whether JSON is nested more deeply than kube-apiserver could have sent it; never fails on invalid JSON. */
export function isTooDeep(body: Uint8Array): boolean {
  if (body.length <= deepest) return false;
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === quote) {
      for (at++; at < body.length && body[at] !== quote; at++) if (body[at] === backslash) at++;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepest) return true;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--;
    }
  }
  return false;
}
