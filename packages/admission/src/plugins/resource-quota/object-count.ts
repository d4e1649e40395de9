import { type Quantity, quantityOfInteger } from '@kubeadmit/apimachinery/quantity';
import type { QuotaEvaluator } from './evaluator.ts';

/** Returns the quantity of a number of objects. */
export function count(number: number): Quantity {
  return { ...quantityOfInteger(BigInt(number)), format: 'DecimalSI' };
}

/** Resources whose objects also count under a short name. */
const aliases: Readonly<Record<string, string>> = {
  configmaps: 'configmaps',
  resourcequotas: 'resourcequotas',
  replicationcontrollers: 'replicationcontrollers',
  secrets: 'secrets',
};

/** Returns the evaluator that counts the objects of a resource (`NewObjectCountEvaluator`). */
export function objectCountEvaluator(resource: string): QuotaEvaluator {
  const alias = Object.hasOwn(aliases, resource) ? aliases[resource] : undefined;
  const counted = [`count/${resource}`, ...(alias === undefined ? [] : [alias])];
  return {
    resource,
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matchingNames: (names) => counted.filter((name) => names.includes(name)),
    usage: () => new Map(counted.map((name) => [name, count(1)])),
  };
}

/** The resources that always have an evaluator, because they have a short name. */
export const aliasedResources: readonly string[] = Object.keys(aliases);
