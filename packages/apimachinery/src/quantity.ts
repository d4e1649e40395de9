// Quantities of resources, such as `100m` and `2Gi`, without anything of objects.

export { addQuantities, subtractQuantities } from './quantity/arithmetic.ts';
export { formatQuantity } from './quantity/format-quantity.ts';
export { parseQuantity } from './quantity/parse-quantity.ts';
export { compareQuantities, type Quantity } from './quantity/quantity.ts';
