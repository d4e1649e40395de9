import type { FunctionRow } from '@kubeadmit/cel/declarations';
import type { OpaqueValue } from '@kubeadmit/cel/values';

/** A value that can be compared with others of its type: negative if it is less, 0 if equal, otherwise positive. */
interface Comparable<Compared> {
  compareTo(other: Compared): number;
}

/** The functions that compare two values of a type: `isGreaterThan`, `isLessThan` and `compareTo`. */
export function comparisonRows<Compared extends OpaqueValue & Comparable<Compared>>(
  type: string,
): readonly FunctionRow[] {
  const id = type.toLowerCase();
  const signature = `${type}.(${type}) -> `;
  return [
    [
      'isGreaterThan',
      `${id}_is_greater_than`,
      `${signature}bool`,
      (left: Compared, right: Compared) => left.compareTo(right) > 0,
    ],
    [
      'isLessThan',
      `${id}_is_less_than`,
      `${signature}bool`,
      (left: Compared, right: Compared) => left.compareTo(right) < 0,
    ],
    [
      'compareTo',
      `${id}_compare_to`,
      `${signature}int`,
      (left: Compared, right: Compared) => left.compareTo(right),
    ],
  ];
}
