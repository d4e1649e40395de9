import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { policyReportSummary } from '@kubeadmit/check/internal';
import { type ApiClient, ApiError } from '../cluster/api-client.ts';
import type { ObjectReference } from '../cluster/object-reference.ts';
import { type ReportEntry, sameEntries, sinceBefore } from './report-entries.ts';
import { type ReportGroup, reportFormats } from './report-format.ts';

const managedBy = 'app.kubernetes.io/managed-by';
const notFound = 404;
const conflict = 409;
const attempts = 5;
const pageSize = 500;

/** A report that is there. */
export interface KnownReport {
  readonly path: string;
  /** `APIVERSION KIND` of the object that it is about. */
  readonly kind: string;
  /** The identifier of that object. */
  readonly uid: string;
  /** When it was made, in milliseconds since 1970. */
  readonly created: number;
}

/** An object that can have a report. */
export type ReportedObject = ObjectReference & { readonly uid: string };

/**
 * Keeps a report about each object, which goes with it (`ownerReferences`): in its namespace, or cluster-wide for
 * objects without one. Reports of others are not touched.
 */
export class ReportWriter {
  private readonly client: Pick<ApiClient, 'ask'>;
  private readonly group: ReportGroup;

  constructor(client: Pick<ApiClient, 'ask'>, group: ReportGroup) {
    this.client = client;
    this.group = group;
  }

  /**
   * Makes of the entries of an object's report what `change` says; no entries, no report.
   *
   * @throws ApiError when the cluster does not take it.
   */
  async write(
    object: ReportedObject,
    change: (before: readonly ReportEntry[]) => readonly ReportEntry[],
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.writeOnce(object, change);
        return;
      } catch (error) {
        const isPassing = error instanceof ApiError && error.code === conflict;
        if (!isPassing || attempt === attempts) throw error;
      }
    }
  }

  /** All reports that we keep. */
  async list(): Promise<readonly KnownReport[]> {
    const { namespaced, clusterWide } = reportFormats[this.group];
    return [
      ...(await this.listOf(namespaced.resource)),
      ...(await this.listOf(clusterWide.resource)),
    ];
  }

  /** Removes a report, if it is still there. */
  async remove(path: string): Promise<void> {
    try {
      await this.client.ask(path, { method: 'DELETE' });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  private async writeOnce(
    object: ReportedObject,
    change: (before: readonly ReportEntry[]) => readonly ReportEntry[],
  ): Promise<void> {
    const folder = this.folderOf(object.namespace);
    const name = `kubeadmit-${object.uid}`;
    const report = await this.find(`${folder}/${name}`);
    const before = (member(report, 'results') ?? []) as readonly ReportEntry[];
    const after = sinceBefore(change(before), before);
    if (after.length === 0) {
      if (report !== undefined) await this.remove(`${folder}/${name}`);
      return;
    }
    if (report === undefined) {
      const body = JSON.stringify(this.reportOf(object, { name }, after));
      await this.client.ask(folder, { method: 'POST', body });
    } else if (!sameEntries(before, after)) {
      const metadata = member(report, 'metadata') as object;
      const body = JSON.stringify(this.reportOf(object, metadata, after));
      await this.client.ask(`${folder}/${name}`, { method: 'PUT', body });
    }
  }

  private async find(path: string): Promise<KubernetesObject | undefined> {
    try {
      return JSON.parse(await this.client.ask(path)) as KubernetesObject;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  private reportOf(object: ReportedObject, metadata: object, results: readonly ReportEntry[]) {
    const { apiVersion, namespaced, clusterWide } = reportFormats[this.group];
    const { kind } = object.namespace === undefined ? clusterWide : namespaced;
    return {
      apiVersion,
      kind,
      metadata: {
        ...metadata,
        ...(object.namespace === undefined ? {} : { namespace: object.namespace }),
        labels: { ...(member(metadata, 'labels') as object | undefined), [managedBy]: 'kubeadmit' },
        ownerReferences: [
          {
            apiVersion: object.apiVersion,
            kind: object.kind,
            name: object.name,
            uid: object.uid,
          },
        ],
      },
      ...(this.group === 'openreports.io' ? { source: 'kubeadmit' } : {}),
      scope: object,
      summary: policyReportSummary(results),
      results,
    };
  }

  private folderOf(namespace: string | undefined): string {
    const { apiVersion, namespaced, clusterWide } = reportFormats[this.group];
    return namespace === undefined
      ? `/apis/${apiVersion}/${clusterWide.resource}`
      : `/apis/${apiVersion}/namespaces/${namespace}/${namespaced.resource}`;
  }

  private async listOf(resource: string): Promise<KnownReport[]> {
    const { apiVersion } = reportFormats[this.group];
    const query = `labelSelector=${encodeURIComponent(`${managedBy}=kubeadmit`)}&limit=${pageSize}`;
    const found: KnownReport[] = [];
    for (let token = ''; ; ) {
      const next = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
      const text = await this.client.ask(`/apis/${apiVersion}/${resource}?${query}${next}`);
      const page = JSON.parse(text) as ReportPage;
      for (const { metadata, scope } of page.items ?? []) {
        if (scope?.uid === undefined) continue;
        found.push({
          path: `${this.folderOf(metadata.namespace)}/${metadata.name}`,
          kind: `${scope.apiVersion} ${scope.kind}`,
          uid: scope.uid,
          created: Date.parse(metadata.creationTimestamp ?? ''),
        });
      }
      token = page.metadata?.continue ?? '';
      if (token === '') return found;
    }
  }
}

interface ReportPage {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly {
    readonly metadata: {
      readonly name: string;
      readonly namespace?: string;
      readonly creationTimestamp?: string;
    };
    readonly scope?: ObjectReference;
  }[];
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === notFound;
}
