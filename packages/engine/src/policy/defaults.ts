import type {
  BindingSpec,
  MatchResources,
  PolicyObject,
  PolicySpec,
  ResourceRule,
} from './model.ts';

/**
 * Returns a policy with the defaults of its version (`defaults.go` of admissionregistration); they are the
 * same in v1, v1beta1 and v1alpha1. A policy that has them already comes back as equal.
 */
export function defaultPolicy<Spec extends PolicySpec>(
  policy: PolicyObject<Spec>,
): PolicyObject<Spec> {
  const spec = policy.spec;
  if (spec === undefined || spec === null) return policy;
  const failurePolicy = spec.failurePolicy ?? 'Fail';
  const constraints = spec.matchConstraints;
  const matchConstraints = constraints ? defaultMatchResources(constraints) : constraints;
  return { ...policy, spec: { ...spec, failurePolicy, matchConstraints } };
}

/**
 * Returns a binding with the defaults of its version: in v1alpha1 a `paramRef` denies when nothing is
 * found, in later versions that must be said.
 */
export function defaultBinding(
  binding: PolicyObject<BindingSpec>,
  version: string,
): PolicyObject<BindingSpec> {
  const spec = binding.spec;
  if (spec === undefined || spec === null) return binding;
  const { matchResources, paramRef } = spec;
  return {
    ...binding,
    spec: {
      ...spec,
      ...(matchResources ? { matchResources: defaultMatchResources(matchResources) } : {}),
      ...(paramRef && version === 'v1alpha1' && paramRef.parameterNotFoundAction == null
        ? { paramRef: { ...paramRef, parameterNotFoundAction: 'Deny' } }
        : {}),
    },
  };
}

function defaultMatchResources(match: MatchResources): MatchResources {
  return {
    ...match,
    matchPolicy: match.matchPolicy ?? 'Equivalent',
    namespaceSelector: match.namespaceSelector ?? {},
    objectSelector: match.objectSelector ?? {},
    ...(match.resourceRules ? { resourceRules: match.resourceRules.map(defaultRule) } : {}),
    ...(match.excludeResourceRules
      ? { excludeResourceRules: match.excludeResourceRules.map(defaultRule) }
      : {}),
  };
}

function defaultRule(rule: ResourceRule): ResourceRule {
  return rule.scope == null ? { ...rule, scope: '*' } : rule;
}
