import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { metadataString } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import type { Chain } from '@kubeadmit/chain';
import type { Cleaner } from '@kubeadmit/chain/kyverno-background';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import { type Discovery, objectPath, type ServedResource } from '../cluster/discovery.ts';
import type { Located, ObjectWriter } from './object-writer.ts';
import type { Problems } from './problems.ts';
import { nextRun } from './schedule.ts';
import { isInExcludedNamespace } from './triggers.ts';
import { WorkQueue } from './work-queue.ts';

const pageSize = 100;
const workers = 2;
const conflict = 409;

type Kyverno = NonNullable<Chain['kyverno']>['background'];

/** The dependencies of the controller. */
export interface CleanupOptions {
  readonly client: Pick<ApiClient, 'ask' | 'pages'>;
  readonly writer: ObjectWriter;
  readonly discovery: Discovery;
  readonly problems: Problems;
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly isDryRun: boolean;
}

/**
 * Deletes the objects that cleanup and deleting policies select, on their schedules.
 *
 * The status of a policy says when it ran last. A missed run is repeated once.
 */
export class CleanupController {
  readonly #options: CleanupOptions;
  readonly #queue: WorkQueue;
  /** The runs of this process, by policy, in milliseconds since 1970. */
  readonly #runs: Map<string, number> = new Map();
  /** Since when each policy is in use, in milliseconds since 1970; a policy in a file has no other time. */
  readonly #uses: Map<string, number> = new Map();
  #kyverno: Kyverno | undefined;
  #cleaners: ReadonlyMap<string, Cleaner> = new Map();

  constructor(options: CleanupOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      workers,
      work: (key) => this.#runIfDue(key),
      failed: (key, error) => this.#report(key, errorText(error)),
    });
  }

  /** The number of policies that are due or running. */
  get length(): number {
    return this.#queue.length;
  }

  /** Uses other policies. */
  use(kyverno: Kyverno | undefined): void {
    const before = this.#cleaners;
    this.#kyverno = kyverno;
    this.#cleaners = new Map((kyverno?.cleaners ?? []).map((each) => [each.key, each]));
    for (const key of this.#cleaners.keys()) {
      if (!before.has(key)) this.#uses.set(key, Date.now());
    }
    for (const key of new Set([...before.keys(), ...this.#cleaners.keys()])) this.#queue.add(key);
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
  }

  async #runIfDue(key: string): Promise<void> {
    const cleaner = this.#cleaners.get(key);
    if (cleaner === undefined) {
      this.#report(key, '');
      return;
    }
    const lastRun = Math.max(Date.parse(cleaner.lastRun) || 0, this.#runs.get(key) ?? 0);
    const due = nextRun(cleaner.schedule, lastRun || (this.#uses.get(key) ?? Date.now()));
    if (due === undefined) return;
    const now = Date.now();
    if (due > now) {
      this.#queue.addAfter(key, due - now);
      return;
    }
    const problems = await this.#clean(cleaner);
    this.#runs.set(key, now);
    const isInUse = this.#cleaners.has(key);
    this.#report(key, isInUse ? problems.join('; ') : '');
    if (!isInUse) return;
    await this.#writeStatus(cleaner, now);
    this.#queue.addAfter(key, (nextRun(cleaner.schedule, now) ?? now) - Date.now());
  }

  async #clean(cleaner: Cleaner): Promise<readonly string[]> {
    const { discovery, client } = this.#options;
    const problems: string[] = [];
    for (const resource of discovery.resources) {
      const isWithin = cleaner.namespace === '' || resource.isNamespaced;
      if (!resource.verbs.has('delete') || !cleaner.mayDelete(resource) || !isWithin) continue;
      const path =
        cleaner.namespace === '' ? resource.path : objectPath(resource, cleaner.namespace, '');
      try {
        for await (const { items } of client.pages(path, pageSize)) {
          for (const item of items) {
            const problem = await this.#cleanObject(cleaner.key, resource, item);
            if (problem !== '') problems.push(problem);
          }
        }
      } catch (error) {
        problems.push(`${path}: ${errorText(error)}`);
      }
    }
    return problems;
  }

  async #cleanObject(
    key: string,
    resource: ServedResource,
    item: KubernetesObject,
  ): Promise<string> {
    // The policy may be deleted or changed during a run.
    const cleaner = this.#cleaners.get(key);
    if (cleaner === undefined || !cleaner.mayDelete(resource)) return '';
    const { apiVersion, kind } = resource;
    const located: Located = { resource, object: { ...item, apiVersion, kind } };
    if (isInExcludedNamespace(located, this.#options.excludedNamespaces)) return '';
    const namespace = metadataString(item, 'namespace');
    const name = `${kind} ${namespace === '' ? '' : `${namespace}/`}${metadataString(item, 'name')}`;
    const isDeleted = this.#kyverno?.deletes(cleaner, located) ?? false;
    if (typeof isDeleted !== 'boolean') return `${name}: ${isDeleted.error}`;
    if (!isDeleted || metadataString(item, 'deletionTimestamp') !== '') return '';
    try {
      const reason = { task: 'cleanup', policy: key } as const;
      await this.#options.writer.delete(located, reason, cleaner.propagation);
      return '';
    } catch (error) {
      // An object that changed meanwhile may no longer be selected.
      if (error instanceof ApiError && error.code === conflict) return '';
      return `${name}: ${errorText(error)}`;
    }
  }

  // Policies in files have no status.
  async #writeStatus({ object, key }: Cleaner, time: number): Promise<void> {
    const { client, discovery, isDryRun } = this.#options;
    if (isDryRun || metadataString(object, 'uid') === '') return;
    const resource = await discovery.find(String(object['apiVersion']), String(object['kind']));
    if (resource === undefined) return;
    const [namespace, name] = [metadataString(object, 'namespace'), metadataString(object, 'name')];
    const lastExecutionTime = new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
    try {
      await client.ask(`${objectPath(resource, namespace, name)}/status`, {
        method: 'PATCH',
        body: JSON.stringify({ status: { lastExecutionTime } }),
        contentType: 'application/merge-patch+json',
      });
    } catch (error) {
      this.#report(key, `cannot write the status: ${errorText(error)}`);
    }
  }

  #report(key: string, message: string): void {
    const found = message === '' ? undefined : { policy: key, message, task: 'cleanup' as const };
    this.#options.problems.set(`cleanup ${key}`, found);
  }
}
