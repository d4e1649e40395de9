import { createHash } from 'node:crypto';
import { member, memberText, metadataString } from '@kubeadmit/apimachinery';
import { policyReportSummary } from '@kubeadmit/chain/findings';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import type { ObjectReference } from '../cluster/object-reference.ts';
import { entriesText, type ReportEntry, sinceBefore } from './report-entries.ts';
import { type ReportGroup, reportFormats } from './report-format.ts';

const managedBy = 'app.kubernetes.io/managed-by';
const conflict = 409;
const attempts = 5;
const pageSize = 500;

/** An existing report. */
export interface KnownReport {
  readonly path: string;
  /** `APIVERSION KIND` of the object that it is about. */
  readonly kind: string;
  /** The time of creation, in milliseconds since 1970. */
  readonly created: number;
  /** The digest of the content, without times. */
  readonly digest: string;
  /** The results that are kept, whatever a scan finds. */
  readonly kept: readonly ReportEntry[];
}

/** Under whose name reports are written; reports of others are not touched. */
export type ReportManager = 'kubeadmit' | 'kyverno';

type ReportClient = Pick<ApiClient, 'ask' | 'find' | 'pages' | 'remove'>;

/** An object that can have a report. */
export type ReportedObject = ObjectReference & { readonly uid: string };

/**
 * Keeps a report about each object, which goes with it (`ownerReferences`): in its namespace, or cluster-wide for
 * objects without one. Reports of others are not touched.
 */
export class ReportWriter {
  readonly #client: ReportClient;
  readonly #group: ReportGroup;
  readonly #manager: ReportManager;

  constructor(client: ReportClient, group: ReportGroup, manager: ReportManager = 'kubeadmit') {
    this.#client = client;
    this.#group = group;
    this.#manager = manager;
  }

  /**
   * Replaces the entries of an object's report with the result of `change`; without entries, the report is deleted.
   *
   * @throws ApiError if the cluster rejects it
   */
  async write(
    object: ReportedObject,
    change: (before: readonly ReportEntry[]) => readonly ReportEntry[],
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#writeOnce(object, change);
        return;
      } catch (error) {
        const isPassing = error instanceof ApiError && error.code === conflict;
        if (!isPassing || attempt === attempts) throw error;
      }
    }
  }

  /**
   * Replaces the entries of a report; sends requests only if the listed report differs.
   *
   * @throws ApiError if the cluster rejects it
   */
  async replace(
    object: ReportedObject,
    entries: readonly ReportEntry[],
    listed: KnownReport | undefined,
  ): Promise<void> {
    if (listed === undefined ? entries.length === 0 : listed.digest === digestOf(entries)) return;
    if (listed === undefined && (await this.#create(object, entries))) return;
    await this.write(object, () => entries);
  }

  /** All reports that we keep. `isKept` selects the results that scans do not replace. */
  async *list(isKept: (entry: ReportEntry) => boolean = () => false): AsyncGenerator<KnownReport> {
    const { namespaced, clusterWide } = reportFormats[this.#group];
    yield* this.#listOf(namespaced.resource, isKept);
    yield* this.#listOf(clusterWide.resource, isKept);
  }

  /** Returns the path of the report about an object. */
  pathOf(object: ReportedObject): string {
    return `${this.#folderOf(object.namespace)}/${this.#nameOf(object)}`;
  }

  /** Removes a report, if it is still there. */
  remove(path: string): Promise<void> {
    return this.#client.remove(path);
  }

  /** Creates a report; returns whether there was none before. */
  async #create(object: ReportedObject, entries: readonly ReportEntry[]): Promise<boolean> {
    const body = JSON.stringify(this.#reportOf(object, { name: this.#nameOf(object) }, entries));
    try {
      await this.#client.ask(this.#folderOf(object.namespace), { method: 'POST', body });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === conflict) return false;
      throw error;
    }
  }

  async #writeOnce(
    object: ReportedObject,
    change: (before: readonly ReportEntry[]) => readonly ReportEntry[],
  ): Promise<void> {
    const path = this.pathOf(object);
    const report = await this.#client.find(path);
    const before = (member(report, 'results') ?? []) as readonly ReportEntry[];
    const after = sinceBefore(change(before), before);
    if (after.length === 0) {
      if (report !== undefined) await this.remove(path);
      return;
    }
    if (report === undefined) {
      const body = JSON.stringify(this.#reportOf(object, { name: this.#nameOf(object) }, after));
      await this.#client.ask(this.#folderOf(object.namespace), { method: 'POST', body });
    } else if (entriesText(before) !== entriesText(after)) {
      const metadata = member(report, 'metadata') as object;
      const body = JSON.stringify(this.#reportOf(object, metadata, after));
      await this.#client.ask(path, { method: 'PUT', body });
    }
  }

  #reportOf(object: ReportedObject, metadata: object, results: readonly ReportEntry[]) {
    const { apiVersion, namespaced, clusterWide } = reportFormats[this.#group];
    const { kind } = object.namespace === undefined ? clusterWide : namespaced;
    return {
      apiVersion,
      kind,
      metadata: {
        ...metadata,
        ...(object.namespace === undefined ? {} : { namespace: object.namespace }),
        labels: {
          ...(member(metadata, 'labels') as object | undefined),
          [managedBy]: this.#manager,
        },
        ownerReferences: [
          {
            apiVersion: object.apiVersion,
            kind: object.kind,
            name: object.name,
            uid: object.uid,
          },
        ],
      },
      ...(this.#group === 'openreports.io' ? { source: this.#manager } : {}),
      scope: object,
      summary: policyReportSummary(results),
      results,
    };
  }

  // Kyverno names a report by the identifier of its object.
  #nameOf({ uid }: ReportedObject): string {
    return this.#manager === 'kyverno' ? uid : `kubeadmit-${uid}`;
  }

  #folderOf(namespace: string | undefined): string {
    const { apiVersion, namespaced, clusterWide } = reportFormats[this.#group];
    return namespace === undefined
      ? `/apis/${apiVersion}/${clusterWide.resource}`
      : `/apis/${apiVersion}/namespaces/${namespace}/${namespaced.resource}`;
  }

  async *#listOf(
    resource: string,
    isKept: (entry: ReportEntry) => boolean,
  ): AsyncGenerator<KnownReport> {
    const { apiVersion } = reportFormats[this.#group];
    const query = `labelSelector=${encodeURIComponent(`${managedBy}=${this.#manager}`)}`;
    const path = `/apis/${apiVersion}/${resource}?${query}`;
    for await (const { items } of this.#client.pages(path, pageSize)) {
      for (const item of items) {
        const scope = member(item, 'scope');
        const namespace = metadataString(item, 'namespace') || undefined;
        const results = (member(item, 'results') ?? []) as readonly ReportEntry[];
        yield {
          path: `${this.#folderOf(namespace)}/${metadataString(item, 'name')}`,
          kind: `${memberText(scope, 'apiVersion')} ${memberText(scope, 'kind')}`,
          created: Date.parse(metadataString(item, 'creationTimestamp')),
          digest: digestOf(results),
          kept: results.filter(isKept),
        };
      }
    }
  }
}

function digestOf(entries: readonly ReportEntry[]): string {
  return createHash('sha256').update(entriesText(entries)).digest('base64');
}
