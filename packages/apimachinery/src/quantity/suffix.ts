import { parseInt64 } from '@kubeadmit/go/internal';
import type { QuantityFormat } from './quantity.ts';

/** What the suffix of a quantity multiplies by: `base ^ exponent`. */
export interface SuffixMeaning {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const binarySuffixes: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

const meanings: ReadonlyMap<string, SuffixMeaning> = new Map<string, SuffixMeaning>([
  ...[...decimalSuffixes].map(([suffix, exponent]): [string, SuffixMeaning] => [
    suffix,
    { base: 10, exponent, format: 'DecimalSI' },
  ]),
  ...[...binarySuffixes].map(([suffix, exponent]): [string, SuffixMeaning] => [
    suffix,
    { base: 2, exponent, format: 'BinarySI' },
  ]),
]);

/** The meaning of a suffix, `undefined` when it is none (k8s.io/apimachinery, suffix.go). */
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

/** The suffix for a power of ten (or of two, in the binary format); empty when there is none. */
export function formatSuffix(exponent: number, format: QuantityFormat): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
  for (const [suffix, power] of format === 'BinarySI' ? binarySuffixes : decimalSuffixes) {
    if (power === exponent) return suffix;
  }
  return '';
}
