import { getOrMake } from '@kubeadmit/base';
import type { State } from './grammar-graph.ts';

/** A state to return to, and the stack below it. */
interface Frame {
  readonly follow: State;
  readonly below: CallStack;
}

/**
 * Any number of stacks of pending rule calls, merged where their tops are the same. Two stacks that
 * stand for the same calls are the same object.
 */
export interface CallStack {
  readonly id: number;
  /** In the order of the ids of their states; none for the empty stack. */
  readonly frames: readonly Frame[];
}

/** Makes and merges call stacks (the graph-structured stacks of ALL(*), "Adaptive LL(*) Parsing", 2014). */
export class CallStacks {
  readonly #known = new Map<string, CallStack>();
  readonly empty: CallStack = { id: 0, frames: [] };

  /** The stack with one more call on top. */
  push(below: CallStack, follow: State): CallStack {
    return this.#intern([{ follow, below }]);
  }

  /**
   * Both stacks as one. The empty stack means "called from anywhere" and so includes every other:
   * a state of the grammar never has the empty and another stack in a prediction with full context.
   */
  merge(left: CallStack, right: CallStack): CallStack {
    if (left === right) return left;
    if (left === this.empty || right === this.empty) return this.empty;
    const frames = new Map<number, Frame>();
    for (const frame of [...left.frames, ...right.frames]) {
      const other = frames.get(frame.follow.id);
      const below = other === undefined ? frame.below : this.merge(other.below, frame.below);
      frames.set(frame.follow.id, { follow: frame.follow, below });
    }
    return this.#intern([...frames.values()].sort((a, b) => a.follow.id - b.follow.id));
  }

  #intern(frames: readonly Frame[]): CallStack {
    const key = frames.map(({ follow, below }) => `${follow.id}:${below.id}`).join();
    return getOrMake(this.#known, key, () => ({ id: this.#known.size + 1, frames }));
  }
}
