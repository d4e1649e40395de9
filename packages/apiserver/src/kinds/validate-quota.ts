import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { invalid, required } from '@kubeadmit/apimachinery/field-errors';

const scopes: ReadonlySet<unknown> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'VolumeAttributesClass',
  'CrossNamespacePodAffinity',
]);

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/**
 * Validates the scopes of a ResourceQuota (core validation `validateResourceQuotaScopes`, `validateScopeSelector`).
 */
export function validateQuota(quota: KubernetesObject): FieldError[] {
  const spec = member(quota, 'spec');
  const given = memberList(spec, 'scopes');
  const at = 'spec.scopes';
  const requirements = memberList(member(spec, 'scopeSelector'), 'matchExpressions');
  return [
    ...given
      .filter((scope) => !scopes.has(scope))
      .map(() => invalid(at, given, 'unsupported scope')),
    ...opposites
      .filter((pair) => pair.every((scope) => given.includes(scope)))
      .map(() => invalid(at, given, 'conflicting scopes')),
    ...requirements.flatMap(requirementErrors),
  ];
}

function requirementErrors(requirement: unknown): FieldError[] {
  const at = 'spec.scopeSelector.matchExpressions';
  const scope = memberText(requirement, 'scopeName');
  const operator = memberText(requirement, 'operator');
  const values = memberList(requirement, 'values');
  const errors: FieldError[] = [];
  if (!scopes.has(scope)) errors.push(invalid(`${at}.scopeName`, scope, 'unsupported scope'));
  const takesValues = scope === 'PriorityClass' || scope === 'VolumeAttributesClass';
  if (scopes.has(scope) && !takesValues && operator !== 'Exists') {
    errors.push(
      invalid(
        `${at}.operator`,
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      ),
    );
  }
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) errors.push(required(`${at}.values`, why));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) errors.push(invalid(`${at}.values`, values, why));
  } else errors.push(invalid(`${at}.operator`, operator, 'not a valid selector operator'));
  return errors;
}
