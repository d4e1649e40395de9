import { Gauge, Registry } from 'prom-client';
import type { WatchState } from '../cluster/reflector.ts';
import { gaugeOf } from './metrics.ts';

/** The state that the metrics of the complete webhook are read from. */
export interface WebhookState {
  /** The number of warnings about the policies in use. */
  warnings(): number;
  /** Whether an older set of policies decides than the newest one. */
  isSetOutdated(): boolean;
  certificateDays(): number | undefined;
  watches(): readonly WatchState[];
}

/** The metrics that exist once, regardless of the number of processes. */
export class WebhookMetrics {
  readonly registry: Registry = new Registry();

  constructor(state: WebhookState) {
    gaugeOf(
      this.registry,
      'kubeadmit_policy_notes',
      'Warnings about the policies in use, such as a policy without a binding.',
      () => state.warnings(),
    );
    gaugeOf(
      this.registry,
      'kubeadmit_policy_set_outdated',
      '1 if an older set of policies is active because the newest one is invalid, otherwise 0.',
      () => (state.isSetOutdated() ? 1 : 0),
    );
    gaugeOf(
      this.registry,
      'kubeadmit_certificate_remaining_days',
      'Days until the certificate of the listener expires.',
      () => state.certificateDays(),
    );
    this.#watchGauges(state);
  }

  #watchGauges({ watches }: WebhookState): void {
    const age = new Gauge({
      name: 'kubeadmit_watch_age_seconds',
      help: 'Seconds since the last event, bookmark or list of a watched resource.',
      labelNames: ['resource'],
      registers: [this.registry],
    });
    const relists = new Gauge({
      name: 'kubeadmit_watch_relists',
      help: 'Lists of a watched resource after the first one.',
      labelNames: ['resource'],
      registers: [this.registry],
    });
    const errors = new Gauge({
      name: 'kubeadmit_watch_errors',
      help: 'Failed lists and watches of a watched resource.',
      labelNames: ['resource'],
      registers: [this.registry],
    });
    // One that is not watched any more is gone.
    Object.assign(age, {
      collect: () => {
        for (const each of [age, relists, errors]) each.reset();
        for (const { resource, ageSeconds, relists: lists, errors: failures } of watches()) {
          age.set({ resource }, ageSeconds);
          relists.set({ resource }, lists);
          errors.set({ resource }, failures);
        }
      },
    });
  }
}
