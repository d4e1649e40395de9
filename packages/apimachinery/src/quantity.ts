// Quantities of resources, such as `100m` and `2Gi`, without anything of objects.

export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  subtractQuantities,
} from './checked/quantities.ts';
export type { Quantity } from './quantity/quantity.ts';
