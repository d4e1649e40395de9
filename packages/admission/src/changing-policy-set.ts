import type { CompiledMutatingPolicy, CompiledValidatingPolicy } from '@kubeadmit/engine';
import type {
  MutatingSpec,
  PolicyBinding,
  PolicyObject,
  PolicySpec,
  ValidatingSpec,
} from '@kubeadmit/engine/internal';
import { nameOf } from '@kubeadmit/engine/internal';
import { compareText } from '@kubeadmit/go';
import { search } from '@kubeadmit/go/internal';
import { type Indexed, PolicyIndex } from '@kubeadmit/matcher';
import type { BindingHook, MutatingHook, PolicyHook, ValidatingHook } from './hooks.ts';
import { bindingHook, type PolicySet, type PolicySetOptions, policyEntry } from './policy-set.ts';

/** Policies and bindings that come and go one by one: a change makes ready the policy that it concerns, and no other. */
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
