// Quantities of resources, such as `100m` and `2Gi`, without anything of objects.

export {
  addQuantities,
  divideQuantity,
  multiplyQuantity,
  roundUpQuantity,
  subtractQuantities,
} from './quantity/arithmetic.ts';
export { formatQuantity } from './quantity/format-quantity.ts';
export { parseQuantity, quantityOf } from './quantity/parse-quantity.ts';
export {
  approximateQuantity,
  bigQuantity,
  compareQuantities,
  integerOfQuantity,
  type Quantity,
  quantityOfInteger,
  signOfQuantity,
} from './quantity/quantity.ts';
