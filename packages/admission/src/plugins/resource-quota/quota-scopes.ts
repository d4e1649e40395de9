import {
  type KubernetesObject,
  member,
  memberObjects,
  memberText,
  memberTexts,
} from '@kubeadmit/apimachinery';
import type { PluginCluster } from '../plugin.ts';
import type { QuotaEvaluator, Scope } from './evaluator.ts';

/** Returns the scopes of a quota, both those of `scopes` and of `scopeSelector`. */
export function scopesOf(quota: KubernetesObject): readonly Scope[] {
  const spec = member(quota, 'spec');
  return [
    ...memberTexts(spec, 'scopes').map((scopeName) => ({
      scopeName,
      operator: 'Exists',
      values: [],
    })),
    ...readScopes(memberObjects(member(spec, 'scopeSelector'), 'matchExpressions')),
  ];
}

/** Reads selectors of scopes. */
export function readScopes(selectors: readonly KubernetesObject[]): readonly Scope[] {
  return selectors.map((selector) => ({
    scopeName: memberText(selector, 'scopeName'),
    operator: memberText(selector, 'operator'),
    values: memberTexts(selector, 'values'),
  }));
}

/** Returns the scopes that an object belongs to. */
export function matchingScopes(
  { isInScope }: QuotaEvaluator,
  scopes: readonly Scope[],
  object: KubernetesObject,
  cluster: PluginCluster,
): readonly Scope[] {
  return isInScope === undefined ? [] : scopes.filter((scope) => isInScope(scope, object, cluster));
}

/** Whether a value, or its absence, meets the operator of a scope. */
export function meetsOperator({ operator, values }: Scope, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return operator === 'DoesNotExist' && value === undefined;
  }
}
