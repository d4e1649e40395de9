import { type JsonObject, memberObject, metadataString } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import type { Log } from '../logging/log.ts';
import { statusWithConditions } from './conditions.ts';
import { contains } from './contains.ts';
import type { ScanPermissions } from './scan-permissions.ts';
import type { WantedStatus } from './wanted-status.ts';

// The policy was deleted, or another client was faster; the next round sees it.
const passing = [404, 409];

/** The dependencies of the writer. */
export interface StatusWriterOptions {
  readonly client: Pick<ApiClient, 'ask' | 'find'>;
  /** Undefined where no scans read the cluster. */
  readonly permissions: ScanPermissions | undefined;
  readonly log: Log;
  /** The time in milliseconds since 1970; default `Date.now`. */
  readonly clock?: () => number;
}

/**
 * Keeps the status of Kyverno policies in the cluster as Kyverno writes it.
 *
 * A policy is written when its status differs from the wanted one, and once after a start, one policy after another.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  /** The status that was written last, by the identifier of the policy. */
  #written: ReadonlyMap<string, string> = new Map();
  #next: readonly WantedStatus[] | undefined;
  #running: Promise<void> | undefined;
  #isEnding = false;
  #lastProblem = '';

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  /** Writes the status of policies soon; a newer list replaces one that waits. */
  use(wanted: readonly WantedStatus[]): void {
    if (this.#isEnding) return;
    this.#next = wanted;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Ends after the write in progress. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#next !== undefined) {
      const wanted = this.#next;
      this.#next = undefined;
      const uids = new Set(wanted.map(({ uid }) => uid));
      this.#written = new Map([...this.#written].filter(([uid]) => uids.has(uid)));
      let problem = '';
      for (const each of wanted) {
        if (this.#isEnding) return;
        problem = (await this.#writeIfDue(each)) || problem;
      }
      this.#tell(problem);
    }
  }

  async #writeIfDue(wanted: WantedStatus): Promise<string> {
    const { permissions, clock = Date.now } = this.#options;
    try {
      const missing = (await permissions?.missing(wanted.scanned ?? [])) ?? [];
      const now = new Date(clock()).toISOString().replace(/\.\d+Z$/, 'Z');
      const form = stringifyJson(statusWithConditions(wanted, {}, { missing, now: '' }));
      const before = memberObject(wanted, 'current');
      const status = statusWithConditions(wanted, before, { missing, now });
      if (this.#written.get(wanted.uid) === form && contains(before, status)) return '';
      if (await this.#write(wanted, { missing, now })) {
        this.#written = new Map([...this.#written, [wanted.uid, form]]);
      }
      return '';
    } catch (error) {
      return `${wanted.path}: ${errorText(error)}`;
    }
  }

  // Returns false if the policy was deleted, replaced or changed, or if another client was faster.
  async #write(
    wanted: WantedStatus,
    given: { readonly missing: readonly string[]; readonly now: string },
  ): Promise<boolean> {
    const { client } = this.#options;
    const object = await client.find(wanted.path);
    if (object === undefined || metadataString(object, 'uid') !== wanted.uid) return false;
    const { generation } = memberObject(object, 'metadata');
    if (Number(generation) !== wanted.generation) return false;
    const before = memberObject(object, 'status');
    const status: JsonObject = { ...before, ...statusWithConditions(wanted, before, given) };
    const body = stringifyJson({ ...object, status });
    try {
      await client.ask(`${wanted.path}/status`, { method: 'PUT', body });
      return true;
    } catch (error) {
      if (error instanceof ApiError && passing.includes(error.code)) return false;
      throw error;
    }
  }

  #tell(problem: string): void {
    if (problem !== '' && problem !== this.#lastProblem) {
      this.#options.log.warn({ problem }, 'cannot write the status of a policy');
    }
    this.#lastProblem = problem;
  }
}
