import { Counter, Gauge, type Registry } from 'prom-client';
import type { BackgroundState } from './background.ts';
import type { Action, Reason } from './object-writer.ts';

const tasks = ['generate', 'mutate', 'cleanup', 'ttl'] as const;
const actions = ['create', 'update', 'delete'] as const;

/** The metrics of the background work of one process. */
export class BackgroundMetrics {
  readonly #changes: Counter;

  /** @param state read when metrics are collected */
  constructor(registry: Registry, state: () => BackgroundState | undefined) {
    this.#changes = new Counter({
      name: 'kubeadmit_background_changes_total',
      help: 'Changes to the cluster by background work, by task and action.',
      labelNames: ['task', 'action'],
      registers: [registry],
    });
    // A rate needs a first value of zero.
    for (const task of tasks) {
      for (const action of actions) this.#changes.inc({ task, action }, 0);
    }
    const gauge = (name: string, help: string, value: (now: BackgroundState) => number): void => {
      new Gauge({
        name,
        help,
        aggregator: 'sum',
        registers: [registry],
        collect() {
          const now = state();
          if (now !== undefined) this.set(value(now));
        },
      });
    };
    gauge(
      'kubeadmit_background_leader',
      '1 while this replica does the background work, otherwise 0.',
      ({ isLeader }) => (isLeader ? 1 : 0),
    );
    gauge(
      'kubeadmit_background_queue_length',
      'Background tasks that wait to run.',
      ({ queueLength }) => queueLength,
    );
    gauge(
      'kubeadmit_background_problems',
      'Background tasks that fail.',
      ({ problems }) => problems,
    );
  }

  /** Counts a change. */
  done(action: Action, { task }: Reason): void {
    this.#changes.inc({ task, action });
  }
}
