import { getOrMake } from '@kubeadmit/base';
import type { CallStack, CallStacks } from './call-stack.ts';
import type { State } from './grammar-graph.ts';

/** One thing the parser might be doing if it chose an alternative. */
export interface Configuration {
  readonly state: State;
  readonly alternative: number;
  readonly stack: CallStack;
  /** The rule of the decision has ended, and its caller is unknown. */
  readonly leftRule: boolean;
  /** Keeps the configuration although an alternative with a tighter binding reaches the same state. */
  readonly unfiltered: boolean;
}

/** Configurations with at most one for a state and an alternative: stacks are merged. */
export class ConfigurationSet {
  readonly #stacks: CallStacks;
  readonly #byKey = new Map<string, Configuration>();

  constructor(stacks: CallStacks, configurations: Iterable<Configuration> = []) {
    this.#stacks = stacks;
    for (const each of configurations) this.add(each);
  }

  get size(): number {
    return this.#byKey.size;
  }

  values(): IterableIterator<Configuration> {
    return this.#byKey.values();
  }

  add(added: Configuration): void {
    const key = `${added.state.id}:${added.alternative}`;
    const present = this.#byKey.get(key);
    if (present === undefined) {
      this.#byKey.set(key, added);
      return;
    }
    this.#byKey.set(key, {
      ...present,
      stack: this.#stacks.merge(present.stack, added.stack),
      leftRule: present.leftRule || added.leftRule,
      unfiltered: present.unfiltered || added.unfiltered,
    });
  }

  /** The alternative of all configurations if it is the same. */
  onlyAlternative(): number | undefined {
    const alternatives = new Set(Array.from(this.values(), ({ alternative }) => alternative));
    return alternatives.size === 1 ? [...alternatives][0] : undefined;
  }

  /** The alternatives that share a state and a stack, for every such pair. */
  conflicts(): readonly ReadonlySet<number>[] {
    return this.#alternativesBy(({ state, stack }) => `${state.id}:${stack.id}`);
  }

  /** Whether more tokens cannot distinguish the alternatives unless the callers are known. */
  isUndecidable(): boolean {
    if ([...this.values()].every(({ state }) => state.form === 'ruleStop')) return true;
    const ofStates = this.#alternativesBy(({ state }) => `${state.id}`);
    return (
      this.conflicts().some((alternatives) => alternatives.size > 1) &&
      ofStates.every((alternatives) => alternatives.size > 1)
    );
  }

  /** A text that is the same for sets with the same configurations. */
  key(): string {
    return Array.from(
      this.values(),
      ({ state, alternative, stack, leftRule, unfiltered }) =>
        `${state.id}:${alternative}:${stack.id}:${Number(leftRule)}${Number(unfiltered)}`,
    )
      .sort()
      .join();
  }

  #alternativesBy(keyOf: (configuration: Configuration) => string): readonly ReadonlySet<number>[] {
    const groups = new Map<string, Set<number>>();
    for (const configuration of this.values()) {
      getOrMake(groups, keyOf(configuration), () => new Set()).add(configuration.alternative);
    }
    return [...groups.values()];
  }
}
