import {
  approximateQuantity,
  bigQuantity,
  integerOfQuantity,
  quantityOfInteger,
  signOfQuantity,
} from '@kubeadmit/apimachinery/internal';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity as parse,
  type Quantity,
  subtractQuantities,
} from '@kubeadmit/apimachinery/quantity';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import {
  boolType,
  doubleType,
  type Int,
  intType,
  makeDouble,
  makeInt,
  OpaqueValue,
  stringType,
  structType,
} from '@kubeadmit/cel/internal';
import { memoize } from '@kubeadmit/go/internal';
import { declare, member, noSuchOverload, plain } from './declare.ts';

const parseQuantity = memoize(parse);

/** The type of quantities in CEL. */
const quantityType: Type = structType('kubernetes.Quantity');

/** A quantity as a CEL value. */
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
      : noSuchOverload();
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

const both: readonly Type[] = [quantityType, quantityType];
const withInt: readonly Type[] = [quantityType, intType];

/**
 * Quantities of resources (apiserver pkg/cel/library/quantity.go).
 *
 * - `quantity("1.5Gi").isGreaterThan(quantity("1G"))` is true; `quantity("1k").compareTo(quantity("1000"))` is 0.
 * - `quantity("1k").add(1).asInteger()` is 1001; `quantity("1500m").isInteger()` is false.
 * - `sign(quantity("-1"))` is -1; `quantity("1500m").asApproximateFloat()` is 1.5.
 */
export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  functions: [
    declare(
      'quantity',
      plain('string_to_quantity', [stringType], quantityType, (text: string) => {
        const quantity = parseQuantity(text);
        return 'error' in quantity
          ? new CelError(quantity.error)
          : new QuantityValue(quantity, false);
      }),
    ),
    declare(
      'isQuantity',
      plain(
        'is_quantity_string',
        [stringType],
        boolType,
        (text: string) => !('error' in parseQuantity(text)),
      ),
    ),
    declare(
      'sign',
      plain('quantity_sign', [quantityType], intType, (quantity: QuantityValue) =>
        signOfQuantity(quantity.value),
      ),
    ),
    declare(
      'isGreaterThan',
      member(
        'quantity_is_greater_than',
        both,
        boolType,
        (left: QuantityValue, right: QuantityValue) => left.compareTo(right) > 0,
      ),
    ),
    declare(
      'isLessThan',
      member(
        'quantity_is_less_than',
        both,
        boolType,
        (left: QuantityValue, right: QuantityValue) => left.compareTo(right) < 0,
      ),
    ),
    declare(
      'compareTo',
      member('quantity_compare_to', both, intType, (left: QuantityValue, right: QuantityValue) =>
        left.compareTo(right),
      ),
    ),
    declare(
      'asApproximateFloat',
      member('quantity_get_float', [quantityType], doubleType, (quantity: QuantityValue) =>
        makeDouble(approximateQuantity(quantity.value)),
      ),
    ),
    declare(
      'asInteger',
      member('quantity_get_int', [quantityType], intType, (quantity: QuantityValue) => {
        const integer = integerOfQuantity(quantity.value);
        return integer === undefined
          ? new CelError('cannot convert value to integer')
          : makeInt(integer);
      }),
    ),
    declare(
      'isInteger',
      member(
        'quantity_is_integer',
        [quantityType],
        boolType,
        (quantity: QuantityValue) => integerOfQuantity(quantity.value) !== undefined,
      ),
    ),
    declare(
      'add',
      member('quantity_add', both, quantityType, (left: QuantityValue, right: QuantityValue) =>
        computed(addQuantities(left.value, right.value)),
      ),
      member('quantity_add_int', withInt, quantityType, (left: QuantityValue, right: Int) =>
        computed(addQuantities(left.value, quantityOfInteger(BigInt(right)))),
      ),
    ),
    declare(
      'sub',
      member('quantity_sub', both, quantityType, (left: QuantityValue, right: QuantityValue) =>
        computed(subtractQuantities(left.value, right.value)),
      ),
      member('quantity_sub_int', withInt, quantityType, (left: QuantityValue, right: Int) =>
        computed(subtractQuantities(left.value, quantityOfInteger(BigInt(right)))),
      ),
    ),
  ],
};
