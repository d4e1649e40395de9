import { isObject } from '@kubeadmit/apimachinery';
import {
  addQuantities,
  compareQuantities,
  type Quantity,
  quantityOf,
} from '@kubeadmit/apimachinery/quantity';

/** Quantities by the name of their resource, such as `cpu` (`v1.ResourceList`). */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** Reads the quantities of an object such as `resources.limits`. */
export function readResources(value: unknown): ResourceList {
  const list = new Map<string, Quantity>();
  if (!isObject(value)) return list;
  for (const [name, amount] of Object.entries(value)) {
    const quantity = quantityOf(String(amount));
    if (quantity !== undefined) list.set(name, quantity);
  }
  return list;
}

/** Returns the sum of two quantities. */
function sum(left: Quantity, right: Quantity): Quantity {
  // Only quantities that are farther apart than any that validation accepts have no sum.
  return addQuantities(left, right) ?? left;
}

/** Returns the sums of resources in two lists. */
export function addResources(left: ResourceList, right: ResourceList): ResourceList {
  return merged(left, right, sum);
}

/** Returns the greater quantities of resources in some lists. */
export function maxResources(...lists: readonly ResourceList[]): ResourceList {
  return lists.reduce((left, right) =>
    merged(left, right, (a, b) => (compareQuantities(b, a) > 0 ? b : a)),
  );
}

function merged(
  left: ResourceList,
  right: ResourceList,
  join: (a: Quantity, b: Quantity) => Quantity,
): ResourceList {
  const result = new Map(left);
  for (const [name, quantity] of right) {
    const known = result.get(name);
    result.set(name, known === undefined ? quantity : join(known, quantity));
  }
  return result;
}

/** Returns the resources that a test accepts. */
export function filterResources(
  list: ResourceList,
  accepts: (name: string, quantity: Quantity) => boolean,
): ResourceList {
  return new Map([...list].filter(([name, quantity]) => accepts(name, quantity)));
}
