import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityOf,
} from '@kubeadmit/apimachinery/quantity';
import { setKey } from '@kubeadmit/base';
import { isEmpty, items, pointer, struct } from './defaulting.ts';

/**
 * Sets the pod-level requests from the requests of its containers, if the pod has pod-level resources. Servers of 1.34
 * to 1.36 do this when decoding (kubernetes, `pkg/apis/core/v1/defaults.go`, `defaultPodRequests`); newer ones later.
 */
export function defaultPodResources(spec: JsonObject): void {
  const resources = pointer(spec, 'resources');
  if (!resources) return;
  const limits = pointer(resources, 'limits') ?? {};
  const requests = pointer(resources, 'requests') ?? {};
  if (isEmpty(limits) && isEmpty(requests)) return;
  for (const [name, quantity] of aggregate(spec, 'limits')) {
    const isFree = !Object.hasOwn(requests, name) && !Object.hasOwn(limits, name);
    if (isHugePage(name) && isFree)
      setKey(struct(resources, 'limits'), name, formatQuantity(quantity));
  }
  const podLimits = pointer(resources, 'limits') ?? {};
  if (isEmpty(podLimits)) return;
  const wanted = struct(resources, 'requests');
  for (const [name, quantity] of aggregate(spec, 'requests')) {
    const isShared = name === 'cpu' || name === 'memory';
    if (isShared && !Object.hasOwn(wanted, name)) setKey(wanted, name, formatQuantity(quantity));
  }
  for (const name of Object.keys(podLimits)) {
    const isSupported = name === 'cpu' || name === 'memory' || isHugePage(name);
    if (isSupported && !Object.hasOwn(wanted, name)) setKey(wanted, name, podLimits[name]);
  }
}

function isHugePage(name: string): boolean {
  return name.startsWith('hugepages-');
}

type Totals = Map<string, Quantity>;

/**
 * Returns the resources that all containers need at the same time (component-helpers,
 * `resource.AggregateContainerRequests`).
 */
function aggregate(spec: JsonObject, kind: 'limits' | 'requests'): Totals {
  const total: Totals = new Map();
  for (const container of items(spec, 'containers')) add(total, quantitiesOf(container, kind));
  const sidecars: Totals = new Map();
  const starting: Totals = new Map();
  for (const container of items(spec, 'initContainers')) {
    const own = quantitiesOf(container, kind);
    if (container['restartPolicy'] === 'Always') {
      add(total, own);
      add(sidecars, own);
      raise(starting, sidecars);
    } else {
      add(own, sidecars);
      raise(starting, own);
    }
  }
  raise(total, starting);
  return total;
}

function quantitiesOf(container: JsonObject, kind: string): Totals {
  const list = pointer(pointer(container, 'resources'), kind) ?? {};
  const totals: Totals = new Map();
  for (const name of Object.keys(list)) {
    const quantity = quantityOf(list[name] as string);
    if (quantity !== undefined) totals.set(name, quantity);
  }
  return totals;
}

function add(into: Totals, more: Totals): void {
  for (const [name, quantity] of more) {
    const known = into.get(name);
    // Quantities that are too far apart for a sum differ so much that the smaller one does not count.
    into.set(name, known ? (addQuantities(known, quantity) ?? larger(known, quantity)) : quantity);
  }
}

function larger(left: Quantity, right: Quantity): Quantity {
  return compareQuantities(left, right) < 0 ? right : left;
}

function raise(into: Totals, other: Totals): void {
  for (const [name, quantity] of other) {
    const known = into.get(name);
    if (!known || compareQuantities(quantity, known) > 0) into.set(name, quantity);
  }
}
