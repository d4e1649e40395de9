import {
  addQuantities,
  approximateQuantity,
  bigQuantity,
  compareQuantities,
  formatQuantity,
  integerOfQuantity,
  parseQuantity as parse,
  type Quantity,
  quantityOfInteger,
  signOfQuantity,
  subtractQuantities,
} from '@kubeadmit/apimachinery/quantity';
import { memoize } from '@kubeadmit/base';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';
import { structType } from '@kubeadmit/cel/types';
import { type Int, makeDouble, makeInt, noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { comparisonRows } from './comparison-rows.ts';

const parseQuantity = memoize(parse);

/** The type of quantities in CEL. */
const quantityType: Type = structType('kubernetes.Quantity');

class QuantityValue extends OpaqueValue {
  readonly goType: string;
  #quantity: Quantity;

  /** `computed` values are pointers in Go, with which no parsed value can be compared by `==`. */
  constructor(quantity: Quantity, computed: boolean) {
    super();
    this.#quantity = quantity;
    this.goType = computed ? '*cel.Quantity' : 'cel.Quantity';
  }

  get type(): Type {
    return quantityType;
  }

  get value(): Quantity {
    return this.#quantity;
  }

  /** Compares by value; as in Go this takes the big form where the other one has it. */
  compareTo(other: QuantityValue): number {
    const order = compareQuantities(this.#quantity, other.#quantity);
    if (other.#quantity.big) this.#quantity = bigQuantity(this.#quantity);
    return order;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof QuantityValue && other.goType === 'cel.Quantity'
      ? compareQuantities(this.#quantity, other.#quantity) === 0
      : noOverload();
  }

  override toString(): string {
    return formatQuantity(this.#quantity);
  }
}

function computed(quantity: Quantity | undefined): Value {
  return quantity === undefined
    ? new CelError('internal error: the quantity has too many digits')
    : new QuantityValue(quantity, true);
}

/**
 * Quantities of resources (apiserver pkg/cel/library/quantity.go).
 *
 * - `quantity("1.5Gi").isGreaterThan(quantity("1G"))` is true; `quantity("1k").compareTo(quantity("1000"))` is 0.
 * - `quantity("1k").add(1).asInteger()` is 1001; `quantity("1500m").isInteger()` is false.
 * - `sign(quantity("-1"))` is -1; `quantity("1500m").asApproximateFloat()` is 1.5.
 */
export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  functions: functionsOf(
    [
      ['quantity', 'string_to_quantity', '(string) -> Quantity', quantityOf],
      ['isQuantity', 'is_quantity_string', '(string) -> bool', isQuantity],
      [
        'sign',
        'quantity_sign',
        '(Quantity) -> int',
        ({ value }: QuantityValue) => signOfQuantity(value),
      ],
      ...comparisonRows<QuantityValue>('Quantity'),
      [
        'asApproximateFloat',
        'quantity_get_float',
        'Quantity.() -> double',
        ({ value }: QuantityValue) => makeDouble(approximateQuantity(value)),
      ],
      ['asInteger', 'quantity_get_int', 'Quantity.() -> int', integerOf],
      [
        'isInteger',
        'quantity_is_integer',
        'Quantity.() -> bool',
        ({ value }: QuantityValue) => integerOfQuantity(value) !== undefined,
      ],
      ...arithmetic('add', addQuantities),
      ...arithmetic('sub', subtractQuantities),
    ],
    { Quantity: quantityType },
  ),
};

function quantityOf(text: string): Value {
  const quantity = parseQuantity(text);
  return 'error' in quantity ? new CelError(quantity.error) : new QuantityValue(quantity, false);
}

function isQuantity(text: string): Value {
  return !('error' in parseQuantity(text));
}

function integerOf({ value }: QuantityValue): Value {
  const integer = integerOfQuantity(value);
  return integer === undefined ? new CelError('cannot convert value to integer') : makeInt(integer);
}

/** Of two quantities, or of a quantity and an integer. */
function arithmetic(
  name: string,
  compute: (left: Quantity, right: Quantity) => Quantity | undefined,
): readonly FunctionRow[] {
  return [
    [
      name,
      `quantity_${name}`,
      'Quantity.(Quantity) -> Quantity',
      (left: QuantityValue, right: QuantityValue) => computed(compute(left.value, right.value)),
    ],
    [
      name,
      `quantity_${name}_int`,
      'Quantity.(int) -> Quantity',
      (left: QuantityValue, right: Int) =>
        computed(compute(left.value, quantityOfInteger(BigInt(right)))),
    ],
  ];
}
