import { type Finding, forbidden } from '../schema/finding.ts';
import { definitionCostLimit, type RuleContext } from './rule-context.ts';

/** The findings of a schema whose rules together cost too much. */
export function validateTotalCost(path: string, { total }: RuleContext): Finding[] {
  if (total.total <= definitionCostLimit) return [];
  const detail =
    'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...total.mostExpensive.map((each) => forbidden(each.path, detail)),
    forbidden(path, costText(name, total.total, definitionCostLimit)),
  ];
}

/** Says that a cost is above its limit, and by how much. */
export function costText(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const shown =
    factor > 100
      ? 'more than 100x'
      : factor < 1.5
        ? `${factor.toFixed(6)}x`
        : `${factor.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
