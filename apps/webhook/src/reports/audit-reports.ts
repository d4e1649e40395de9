import type { ApiClient } from '../cluster/api-client.ts';
import { requestedObject } from '../cluster/object-reference.ts';
import { Outbox, type OutboxListener } from '../cluster/outbox.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';
import { decisionEntries } from './decision-entries.ts';
import { isProblem } from './report-entries.ts';
import type { ReportGroup } from './report-format.ts';
import { ReportWriter } from './report-writer.ts';

const reported: readonly string[] = ['CREATE', 'UPDATE'];
const lastMilliseconds = 2_000;
const mostKnown = 10_000;

/** Where and how admitted objects are reported. */
export interface AuditReportsOptions {
  readonly client: ApiClient;
  readonly group: ReportGroup;
  /** Whether reports have the form of Kyverno's. */
  readonly asKyverno: boolean;
  readonly listener: OutboxListener;
  /** Default `Date.now`. */
  readonly clock?: () => number;
}

/**
 * Reports policy results for admitted objects: failures that are only audited or warned about, and ignored errors.
 *
 * Objects without such results get no report here, except in the form of Kyverno's; scans report on existing objects.
 */
export class AuditReports {
  readonly #writer: ReportWriter;
  readonly #outbox: Outbox;
  readonly #clock: () => number;
  /** The UIDs of objects with reported problems. */
  readonly #told: Set<string> = new Set();

  readonly #asKyverno: boolean;

  constructor({ client, group, asKyverno, listener, clock = Date.now }: AuditReportsOptions) {
    this.#writer = new ReportWriter(client, group, asKyverno ? 'kyverno' : 'kubeadmit');
    this.#asKyverno = asKyverno;
    this.#outbox = new Outbox(listener);
    this.#clock = clock;
  }

  /** Reports a decision if it has reportable results. */
  tell({
    step,
    review,
    decision,
    generation,
  }: Pick<DecidedReview, 'step' | 'review' | 'decision' | 'generation'>): void {
    const { request } = review;
    if (step !== 'validate' || decision.denial !== undefined || decision.isExempt) return;
    if (request.dryRun === true || (request.subResource ?? '') !== '') return;
    if (!reported.includes(String(request.operation))) return;
    const { uid, ...object } = requestedObject(request);
    if (uid === undefined) return;
    const options = { asKyverno: this.#asKyverno, now: this.#clock() };
    const entries = decisionEntries(decision, generation, options);
    if (entries.length === 0 && this.#asKyverno) return;
    const isNews = this.#asKyverno || entries.some(isProblem);
    if (!isNews && !this.#told.has(uid)) return;
    if (this.#told.size >= mostKnown) this.#told.clear();
    if (isNews) this.#told.add(uid);
    else this.#told.delete(uid);
    const asked = new Set(entries.map(({ policy }) => policy));
    // Several webhooks may report the same object.
    this.#outbox.put(JSON.stringify([uid, ...asked]), () =>
      this.#writer.write({ ...object, uid }, (before) => [
        ...before.filter(({ policy }) => !asked.has(policy)),
        ...entries,
      ]),
    );
  }

  /** Writes the remaining reports, within a short time limit. */
  async stop(): Promise<void> {
    await this.#outbox.close(lastMilliseconds);
  }
}
