import type { Value } from '@kubeadmit/cel';
import type { FunctionRow } from '@kubeadmit/cel/internal';

/** The functions that compare two values of a type: `isGreaterThan`, `isLessThan` and `compareTo`. */
export function comparisonRows<Compared extends Value>(
  type: string,
  orderOf: (left: Compared, right: Compared) => number,
): readonly FunctionRow[] {
  const row = (
    name: string,
    id: string,
    result: string,
    resultOf: (order: number) => Value,
  ): FunctionRow => [
    name,
    `${type.toLowerCase()}_${id}`,
    `${type}.(${type}) -> ${result}`,
    (left: Compared, right: Compared) => resultOf(orderOf(left, right)),
  ];
  return [
    row('isGreaterThan', 'is_greater_than', 'bool', (order) => order > 0),
    row('isLessThan', 'is_less_than', 'bool', (order) => order < 0),
    row('compareTo', 'compare_to', 'int', (order) => order),
  ];
}
