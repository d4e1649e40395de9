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
import type { LoadedPolicies } from './loaded-policies.ts';

/** Valid policies and bindings in the form of version v1. */
export interface PolicyObjects {
  readonly validating: readonly ValidatingPolicy[];
  readonly validatingBindings: readonly PolicyBinding[];
  readonly mutating: readonly MutatingPolicy[];
  readonly mutatingBindings: readonly PolicyBinding[];
}

/** What policies are made ready with. */
export interface PolicySetOptions {
  readonly loaded: LoadedPolicies;
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
  const { loaded } = options;
  return {
    validating: indexed(objects.validating, objects.validatingBindings, options, (spec) =>
      loaded.compiledValidating(spec),
    ),
    mutating: indexed(objects.mutating, objects.mutatingBindings, options, (spec) =>
      loaded.compiledMutating(spec),
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
  for (const binding of byName(bindings)) {
    const spec = binding.spec ?? {};
    const name = spec.policyName ?? '';
    const hook = bindingHook(nameOf(binding), spec);
    const known = byPolicy.get(name);
    if (known === undefined) byPolicy.set(name, [hook]);
    else known.push(hook);
  }
  const entries: Indexed<PolicyHook<PolicyObject<Spec>, Compiled>>[] = [];
  for (const policy of byName(policies)) {
    const own = byPolicy.get(nameOf(policy));
    const { spec } = policy;
    if (own === undefined || spec === undefined) continue;
    // Policies that no request concerns need not be compiled.
    const compiled = lazily(() => compile(spec));
    const entry = policyHook(policy, spec, own, options, compiled);
    const isBroken = entry.configurationError !== undefined;
    entries.push({
      criteria: spec.matchConstraints ?? {},
      match: entry.match,
      alternatives: isBroken ? [undefined] : own.map(({ match }) => match),
      entry,
    });
  }
  return new PolicyIndex(entries);
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
    match: compileMatch(spec.matchConstraints ?? {}),
    paramKind,
    parameters,
    configurationError:
      paramKind === undefined || parameters !== undefined ? undefined : unknownKind(paramKind),
    failurePolicy: spec.failurePolicy ?? 'Fail',
    bindings,
    get compiled(): Compiled {
      return compiled();
    },
  };
}

function unknownKind({ apiVersion = '', kind = '' }: ParamKind): string {
  const text = formatGroupVersionKind(groupVersionKindOf(apiVersion, kind));
  return `failed to find resource referenced by paramKind: '${text}'`;
}

function bindingHook(name: string, spec: BindingSpec): BindingHook {
  return {
    name,
    match: spec.matchResources == null ? undefined : compileMatch(spec.matchResources),
    paramRef: spec.paramRef == null ? undefined : compileParamRef(spec.paramRef),
    actions: spec.validationActions ?? [],
  };
}

function byName<Item extends PolicyObject<unknown>>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => compareText(nameOf(a), nameOf(b)));
}
