import { parseInt64 } from '@kubeadmit/go';
import type { QuantityFormat } from './quantity.ts';

/** The factor of a quantity's suffix: `base ^ exponent`. */
export interface SuffixMeaning {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const meanings: ReadonlyMap<string, SuffixMeaning> = new Map([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map(
    (suffix, at): [string, SuffixMeaning] => [
      suffix,
      { base: 10, exponent: 3 * at - 9, format: 'DecimalSI' },
    ],
  ),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, at): [string, SuffixMeaning] => [
    suffix,
    { base: 2, exponent: 10 * at + 10, format: 'BinarySI' },
  ]),
]);

const suffixes: ReadonlyMap<string, string> = new Map(
  Array.from(meanings, ([suffix, { format, exponent }]) => [`${format} ${exponent}`, suffix]),
);

/** Returns the factor of a suffix, or `undefined` if it is unknown (k8s.io/apimachinery, suffix.go). */
export function meaningOfSuffix(suffix: string): SuffixMeaning | undefined {
  const meaning = meanings.get(suffix);
  if (meaning !== undefined) return meaning;
  if (!/^[eE]/.test(suffix)) return undefined;
  const exponent = parseInt64(suffix.slice(1));
  // Kubernetes keeps the lower 32 bits of an exponent.
  return typeof exponent === 'bigint'
    ? { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' }
    : undefined;
}

/** Returns the suffix for a power of ten (of two in the binary format); empty if none exists. */
export function formatSuffix(exponent: number, format: QuantityFormat): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
  return suffixes.get(`${format} ${exponent}`) ?? '';
}
