const letters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestBase = 63 - suffixLength;

/**
 * A name from a base and five letters (apiserver storage/names.SimpleNameGenerator).
 *
 * @param randomUid where the randomness comes from
 */
export function generateName(base: string, randomUid: () => string): string {
  const digits = BigInt(`0x${randomUid().replaceAll('-', '').slice(-12)}`);
  let rest = digits;
  let suffix = '';
  for (let i = 0; i < suffixLength; i++) {
    suffix += letters[Number(rest % BigInt(letters.length))] ?? '';
    rest /= BigInt(letters.length);
  }
  return base.slice(0, longestBase) + suffix;
}
