import { Forwarder } from '../forwarder.ts';

/** Distributes new connections over ports of this machine in turn, as a Service does over its ready endpoints. */
export class Balancer extends Forwarder {
  /** The ports that new connections lead to. */
  targets: readonly number[] = [];
  #next = 0;

  protected override next(): number | undefined {
    return this.targets[this.#next++ % Math.max(1, this.targets.length)];
  }
}
