import { formatGroupVersionKind, groupVersionKindOf } from '@kubeadmit/apimachinery/internal';
import type { MutatingPolicy, ValidatingPolicy } from '@kubeadmit/engine';
import type { PolicyBinding, PolicyObject, PolicySpec } from '@kubeadmit/engine/internal';
import { type BindingSpec, nameOf, type ParamKind } from '@kubeadmit/engine/internal';
import { compareText } from '@kubeadmit/go';
import { lazily } from '@kubeadmit/go/internal';
import {
  compileMatch,
  compileParamRef,
  type Indexed,
  type ParameterStore,
  PolicyIndex,
} from '@kubeadmit/matcher';
import type { BindingHook, MutatingHook, PolicyHook, ValidatingHook } from './hooks.ts';
import type { SharedPolicies } from './loaded-policies.ts';

/** Valid policies and bindings in the form of version v1. */
export interface PolicyObjects {
  readonly validating: readonly ValidatingPolicy[];
  readonly validatingBindings: readonly PolicyBinding[];
  readonly mutating: readonly MutatingPolicy[];
  readonly mutatingBindings: readonly PolicyBinding[];
}

/** What policies are made ready with. */
export interface PolicySetOptions {
  readonly shared: SharedPolicies;
  /** The objects of a kind; `undefined` when there is no such kind. */
  readonly parametersOf: (kind: ParamKind) => ParameterStore | undefined;
}

/** The policies that have bindings, findable by the resources that they may be about. */
export interface PolicySet {
  readonly validating: PolicyIndex<ValidatingHook>;
  readonly mutating: PolicyIndex<MutatingHook>;
}

/** Makes policies ready for requests: in the order of their names, each with its bindings. */
export function makePolicySet(objects: PolicyObjects, options: PolicySetOptions): PolicySet {
  const { shared } = options;
  return {
    validating: indexed(objects.validating, objects.validatingBindings, options, (spec) =>
      shared.compiledValidating(spec),
    ),
    mutating: indexed(objects.mutating, objects.mutatingBindings, options, (spec) =>
      shared.compiledMutating(spec),
    ),
  };
}

function indexed<Spec extends PolicySpec, Compiled>(
  policies: readonly PolicyObject<Spec>[],
  bindings: readonly PolicyBinding[],
  options: PolicySetOptions,
  compile: (spec: Spec) => Compiled,
): PolicyIndex<PolicyHook<PolicyObject<Spec>, Compiled>> {
  const byPolicy = new Map<string, BindingHook[]>();
  for (const binding of bindings) {
    const name = binding.spec?.policyName ?? '';
    const hook = bindingHook(binding, options.shared);
    const known = byPolicy.get(name);
    if (known === undefined) byPolicy.set(name, [hook]);
    else known.push(hook);
  }
  for (const own of byPolicy.values()) own.sort((a, b) => compareText(a.name, b.name));
  const index = new PolicyIndex<PolicyHook<PolicyObject<Spec>, Compiled>>();
  for (const policy of policies) {
    const own = byPolicy.get(nameOf(policy));
    if (own === undefined || policy.spec === undefined) continue;
    // A copy, since a policy that is given twice acts twice.
    index.add({ ...policyEntry(policy, own, options, compile) });
  }
  return index;
}

interface KnownEntry {
  readonly bindings: readonly BindingHook[];
  readonly entry: unknown;
}

/**
 * A policy, ready for requests. One that has the bindings that it had is so already, unless its parameters may be others
 * now.
 */
export function policyEntry<Spec extends PolicySpec, Compiled>(
  policy: PolicyObject<Spec>,
  own: readonly BindingHook[],
  options: PolicySetOptions,
  compile: (spec: Spec) => Compiled,
): Indexed<PolicyHook<PolicyObject<Spec>, Compiled>> {
  const { policyHooks } = options.shared;
  const known = policyHooks.get(policy) as KnownEntry | undefined;
  const isSame =
    known?.bindings.length === own.length && own.every((each, i) => each === known.bindings[i]);
  if (known !== undefined && isSame) return known.entry as never;
  const spec = policy.spec as Spec;
  // Policies that no request concerns need not be compiled.
  const compiled = lazily(() => compile(spec));
  const hook = policyHook(policy, spec, own, options, compiled);
  const isBroken = hook.configurationError !== undefined;
  const entry = {
    name: nameOf(policy),
    criteria: spec.matchConstraints ?? {},
    match: hook.match,
    alternatives: isBroken ? [undefined] : own.map(({ match }) => match),
    entry: hook,
  };
  if (hook.paramKind === undefined) policyHooks.set(policy, { bindings: own, entry });
  return entry;
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
  const known = bindingHooks.get(binding) as BindingHook | undefined;
  if (known !== undefined) return known;
  const spec: BindingSpec = binding.spec ?? {};
  const hook: BindingHook = {
    name: nameOf(binding),
    match: spec.matchResources == null ? undefined : compileMatch(spec.matchResources),
    paramRef: spec.paramRef == null ? undefined : compileParamRef(spec.paramRef),
    actions: spec.validationActions ?? [],
  };
  bindingHooks.set(binding, hook);
  return hook;
}
