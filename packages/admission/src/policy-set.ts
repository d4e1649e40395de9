import { formatGroupVersionKind, groupVersionKindOf } from '@kubeadmit/apimachinery/internal';
import type {
  CompiledMutatingPolicy,
  CompiledValidatingPolicy,
  MutatingPolicy,
  ValidatingPolicy,
} from '@kubeadmit/engine';
import type {
  MutatingSpec,
  PolicyBinding,
  PolicyObject,
  PolicySpec,
  ValidatingSpec,
} from '@kubeadmit/engine/internal';
import { type BindingSpec, nameOf, type ParamKind } from '@kubeadmit/engine/internal';
import { compareText } from '@kubeadmit/go';
import { lazily, search } from '@kubeadmit/go/internal';
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
  const set = new ChangingPolicySet(options);
  for (const policy of objects.validating) set.ofValidating.addPolicy(policy);
  for (const binding of objects.validatingBindings) set.ofValidating.addBinding(binding);
  for (const policy of objects.mutating) set.ofMutating.addPolicy(policy);
  for (const binding of objects.mutatingBindings) set.ofMutating.addBinding(binding);
  return { validating: set.validating, mutating: set.mutating };
}

/** Policies and bindings that come and go one by one: a change costs the policy that it concerns, and no other. */
export class ChangingPolicySet implements PolicySet {
  readonly ofValidating: BoundPolicies<ValidatingSpec, CompiledValidatingPolicy>;
  readonly ofMutating: BoundPolicies<MutatingSpec, CompiledMutatingPolicy>;

  constructor(options: PolicySetOptions) {
    const { shared } = options;
    this.ofValidating = new BoundPolicies(options, (spec) => shared.compiledValidating(spec));
    this.ofMutating = new BoundPolicies(options, (spec) => shared.compiledMutating(spec));
  }

  get validating(): PolicyIndex<ValidatingHook> {
    return this.ofValidating.index;
  }

  get mutating(): PolicyIndex<MutatingHook> {
    return this.ofMutating.index;
  }

  /** Takes note that labels of namespaces, or kinds, may be others than before. */
  reconsider(): void {
    this.validating.reconsider();
    this.mutating.reconsider();
  }
}

/** The policies of one kind with their bindings. */
export class BoundPolicies<Spec extends PolicySpec, Compiled> {
  readonly #options: PolicySetOptions;
  readonly #compile: (spec: Spec) => Compiled;
  readonly #index: PolicyIndex<PolicyHook<PolicyObject<Spec>, Compiled>> = new PolicyIndex();
  readonly #policies: Map<string, PolicyObject<Spec>[]> = new Map();
  /** The bindings of each policy, in the order of their names. */
  readonly #bindings: Map<string, BindingHook[]> = new Map();
  readonly #indexed: Map<PolicyObject<Spec>, Indexed<PolicyHook<PolicyObject<Spec>, Compiled>>> =
    new Map();
  /** The names of policies that have to be made ready anew. */
  readonly #changed: Set<string> = new Set();

  constructor(options: PolicySetOptions, compile: (spec: Spec) => Compiled) {
    this.#options = options;
    this.#compile = compile;
  }

  /** The policies that have bindings, as they are now. */
  get index(): PolicyIndex<PolicyHook<PolicyObject<Spec>, Compiled>> {
    if (this.#changed.size > 0) {
      for (const name of this.#changed) this.#makeReady(name);
      this.#changed.clear();
    }
    return this.#index;
  }

  addPolicy(policy: PolicyObject<Spec>): void {
    const name = nameOf(policy);
    listOf(this.#policies, name).push(policy);
    this.#changed.add(name);
  }

  removePolicy(policy: PolicyObject<Spec>): void {
    const name = nameOf(policy);
    takeFrom(this.#policies, name, policy);
    this.#takeOut(policy);
    this.#changed.add(name);
  }

  addBinding(binding: PolicyBinding): void {
    const name = policyNameOf(binding);
    const hook = bindingHook(binding, this.#options.shared);
    const own = listOf(this.#bindings, name);
    own.splice(placeBehind(own, hook.name), 0, hook);
    this.#changed.add(name);
  }

  removeBinding(binding: PolicyBinding): void {
    const name = policyNameOf(binding);
    const hook = bindingHook(binding, this.#options.shared);
    takeFrom(this.#bindings, name, hook);
    this.#changed.add(name);
  }

  /** Makes the policies of a name ready anew: what they take from elsewhere is other than before. */
  refresh(name: string): void {
    this.#changed.add(name);
  }

  #makeReady(name: string): void {
    const bindings = this.#bindings.get(name);
    for (const policy of this.#policies.get(name) ?? []) {
      this.#takeOut(policy);
      if (bindings === undefined || policy.spec === undefined) continue;
      const indexed = policyEntry(policy, [...bindings], this.#options, this.#compile);
      this.#indexed.set(policy, indexed);
      this.#index.add(indexed);
    }
  }

  #takeOut(policy: PolicyObject<Spec>): void {
    const indexed = this.#indexed.get(policy);
    if (indexed === undefined) return;
    this.#indexed.delete(policy);
    this.#index.remove(indexed);
  }
}

function policyNameOf({ spec }: PolicyBinding): string {
  return spec?.policyName ?? '';
}

function listOf<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: Value[] = [];
  lists.set(key, list);
  return list;
}

function takeFrom<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key) ?? [];
  const place = list.indexOf(value);
  if (place >= 0) list.splice(place, 1);
  if (list.length === 0) lists.delete(key);
}

// Behind all of its name: it was added after them.
function placeBehind(hooks: readonly BindingHook[], name: string): number {
  return search(hooks.length, (i) => compareText(hooks[i]?.name ?? '', name) > 0);
}

interface KnownEntry {
  readonly bindings: readonly BindingHook[];
  readonly entry: unknown;
}

// A policy that has the bindings that it had is ready already, unless its parameters may be others now.
function policyEntry<Spec extends PolicySpec, Compiled>(
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
    match: compileMatch(spec.matchConstraints ?? {}),
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
    get compiled(): Compiled {
      return compiled();
    },
  };
}

function unknownKind({ apiVersion = '', kind = '' }: ParamKind): string {
  const text = formatGroupVersionKind(groupVersionKindOf(apiVersion, kind));
  return `failed to find resource referenced by paramKind: '${text}'`;
}

function bindingHook(binding: PolicyBinding, { bindingHooks }: SharedPolicies): BindingHook {
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
