import { getOrMake } from '@kubeadmit/base';
import type { PolicyBinding, PolicyObject, PolicySpec } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { type Indexed, PolicyIndex } from '@kubeadmit/matcher';
import type { PolicyHook } from './hooks.ts';
import { bindingHook, type PolicySetOptions, policyEntry } from './policy-hook.ts';

/** The policies of a name, and the bindings for them. */
interface Namesakes<Spec, Compiled> {
  readonly policies: PolicyObject<Spec>[];
  readonly bindings: PolicyBinding[];
  /** The entries of the index that requests search. */
  ready: readonly Indexed<PolicyHook<PolicyObject<Spec>, Compiled>>[];
}

/**
 * The policies of one kind with their bindings, indexed by the resources that they may match. A change prepares only
 * the policies of its name.
 */
export class BoundPolicies<Spec extends PolicySpec, Compiled> {
  readonly #options: PolicySetOptions;
  readonly #compile: (spec: Spec) => Compiled;
  readonly #index: PolicyIndex<PolicyHook<PolicyObject<Spec>, Compiled>> = new PolicyIndex();
  readonly #byName: Map<string, Namesakes<Spec, Compiled>> = new Map();
  /** The names of the policies whose index entries are out of date. */
  readonly #changed: Set<string> = new Set();

  constructor(options: PolicySetOptions, compile: (spec: Spec) => Compiled) {
    this.#options = options;
    this.#compile = compile;
  }

  /** The policies that have bindings, as they are now. */
  get index(): PolicyIndex<PolicyHook<PolicyObject<Spec>, Compiled>> {
    if (this.#changed.size > 0) this.makeReady();
    return this.#index;
  }

  /** Prepares the changed policies now; otherwise the first request would wait for it. */
  makeReady(): void {
    for (const name of this.#changed) this.#makeReady(name);
    this.#changed.clear();
  }

  /** Compiles the policies that have bindings, one in each step; otherwise the first request that matches one does. */
  *compileAll(): Generator<undefined, void> {
    this.makeReady();
    for (const { ready } of this.#byName.values()) {
      for (const { entry } of ready) {
        // Reading it compiles the policy.
        void entry.compiled;
        yield;
      }
    }
  }

  /**
   * Returns the policies of a name and their bindings for modification, and rebuilds their entries before the next
   * request.
   */
  changing(name: string): Namesakes<Spec, Compiled> {
    this.#changed.add(name);
    return getOrMake(this.#byName, name, () => ({ policies: [], bindings: [], ready: [] }));
  }

  #makeReady(name: string): void {
    const own = this.changing(name);
    const { policies, bindings, ready } = own;
    for (const entry of ready) this.#index.remove(entry);
    const hooks = bindings
      .map((binding) => bindingHook(binding, this.#options.shared))
      .sort((a, b) => compareText(a.name, b.name));
    const acting = policies.filter(({ spec }) => spec !== undefined && hooks.length > 0);
    own.ready = acting.map((policy) => policyEntry(policy, hooks, this.#options, this.#compile));
    for (const entry of own.ready) this.#index.add(entry);
    if (policies.length + bindings.length === 0) this.#byName.delete(name);
  }
}
