import { formatGroupVersionKind, groupVersionKindOf } from '@kubeadmit/apimachinery';
import { getOrMake, lazily } from '@kubeadmit/base';
import type {
  BindingSpec,
  ParamKind,
  PolicyBinding,
  PolicyObject,
  PolicySpec,
} from '@kubeadmit/engine';
import { nameOf } from '@kubeadmit/engine/unstable-internal';
import {
  compileMatch,
  compileParamRef,
  type Indexed,
  type ParameterStore,
} from '@kubeadmit/matcher';
import type { BindingHook, PolicyHook } from './hooks.ts';
import type { SharedPolicies } from './loaded-policies.ts';

/** The inputs for preparing policies for requests. */
export interface PolicySetOptions {
  readonly shared: SharedPolicies;
  /** The objects of a kind; `undefined` when there is no such kind. */
  readonly parametersOf: (kind: ParamKind) => ParameterStore | undefined;
}

/** A policy with the bindings that it has, ready for requests. */
export function policyEntry<Spec extends PolicySpec, Compiled>(
  policy: PolicyObject<Spec>,
  bindings: readonly BindingHook[],
  options: PolicySetOptions,
  compile: (spec: Spec) => Compiled,
): Indexed<PolicyHook<PolicyObject<Spec>, Compiled>> {
  const spec = policy.spec as Spec;
  // Policies that no request concerns need not be compiled.
  const compiled = lazily(() => compile(spec));
  const entry = policyHook(policy, spec, bindings, options, compiled);
  const isBroken = entry.configurationError !== undefined;
  return {
    name: entry.name,
    criteria: spec.matchConstraints ?? {},
    match: entry.match,
    alternatives: isBroken ? [undefined] : bindings.map(({ match }) => match),
    entry,
  };
}

function policyHook<Spec extends PolicySpec, Compiled>(
  policy: PolicyObject<Spec>,
  spec: Spec,
  bindings: readonly BindingHook[],
  options: PolicySetOptions,
  compiled: () => Compiled,
): PolicyHook<PolicyObject<Spec>, Compiled> {
  const paramKind = spec.paramKind ?? undefined;
  const parameters = paramKind && options.parametersOf(paramKind);
  return {
    name: nameOf(policy),
    policy,
    match: options.shared.compiledMatch(spec.matchConstraints ?? {}),
    paramKind,
    parameters,
    configurationError:
      paramKind === undefined || parameters !== undefined ? undefined : unknownKind(paramKind),
    failurePolicy: spec.failurePolicy ?? 'Fail',
    bindings,
    isPlain:
      paramKind === undefined &&
      bindings.length === 1 &&
      bindings.every((binding) => binding.match === undefined && binding.paramRef === undefined),
    admission: undefined,
    configurations: undefined,
    get compiled(): Compiled {
      return compiled();
    },
  };
}

function unknownKind({ apiVersion = '', kind = '' }: ParamKind): string {
  const text = formatGroupVersionKind(groupVersionKindOf(apiVersion, kind));
  return `failed to find resource referenced by paramKind: '${text}'`;
}

/** A binding, ready for requests. */
export function bindingHook(binding: PolicyBinding, { bindingHooks }: SharedPolicies): BindingHook {
  return getOrMake(bindingHooks, binding, () => {
    const spec: BindingSpec = binding.spec ?? {};
    return {
      name: nameOf(binding),
      match: spec.matchResources == null ? undefined : compileMatch(spec.matchResources),
      paramRef: spec.paramRef == null ? undefined : compileParamRef(spec.paramRef),
      actions: spec.validationActions ?? [],
    };
  });
}
