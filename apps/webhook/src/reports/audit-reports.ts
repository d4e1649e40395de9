import type { ApiClient } from '../cluster/api-client.ts';
import { requestedObject } from '../cluster/object-reference.ts';
import { Outbox, type OutboxListener } from '../cluster/outbox.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';
import { isProblem, reportEntries } from './report-entries.ts';
import type { ReportGroup } from './report-format.ts';
import { ReportWriter } from './report-writer.ts';

const reported: readonly string[] = ['CREATE', 'UPDATE'];
const lastMilliseconds = 2_000;
const mostKnown = 10_000;

/**
 * Reports policy results for admitted objects: failures that are only audited or warned about, and ignored errors.
 *
 * Objects without such results get no report here; scans report on existing objects.
 */
export class AuditReports {
  readonly #writer: ReportWriter;
  readonly #outbox: Outbox;
  readonly #clock: () => number;
  /** The UIDs of objects with reported problems. */
  readonly #told: Set<string> = new Set();

  constructor(
    client: ApiClient,
    group: ReportGroup,
    listener: OutboxListener,
    clock: () => number = Date.now,
  ) {
    this.#writer = new ReportWriter(client, group);
    this.#outbox = new Outbox(listener);
    this.#clock = clock;
  }

  /** Reports a decision if it has reportable results. */
  tell({ step, review, decision }: Pick<DecidedReview, 'step' | 'review' | 'decision'>): void {
    const { request } = review;
    if (step !== 'validate' || decision.denial !== undefined || decision.isExempt) return;
    if (request.dryRun === true || (request.subResource ?? '') !== '') return;
    if (!reported.includes(String(request.operation))) return;
    const { uid, ...object } = requestedObject(request);
    if (uid === undefined) return;
    const entries = reportEntries(decision.findings(), this.#clock());
    const isNews = entries.some(isProblem);
    if (!isNews && !this.#told.has(uid)) return;
    if (this.#told.size >= mostKnown) this.#told.clear();
    if (isNews) this.#told.add(uid);
    else this.#told.delete(uid);
    const asked = new Set(entries.map(({ policy }) => policy));
    this.#outbox.put(uid, () =>
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
