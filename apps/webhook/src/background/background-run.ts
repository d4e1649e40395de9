import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import type { ApiClient } from '../cluster/api-client.ts';
import { Discovery } from '../cluster/discovery.ts';
import type { Log } from '../logging/log.ts';
import type { Generation } from '../policies/generation.ts';
import { CleanupController } from './cleanup-controller.ts';
import { isPolicyDeleted } from './deleted-policies.ts';
import { GenerationController } from './generation-controller.ts';
import { MutationController } from './mutation-controller.ts';
import { type Action, ObjectWriter, type Reason } from './object-writer.ts';
import { type BackgroundProblem, Problems } from './problems.ts';
import { type Survey, surveyResources } from './survey.ts';
import { TtlController } from './ttl-controller.ts';
import { type WatchedChange, Watches } from './watches.ts';

const repeatMilliseconds = 600_000;
const mutationMilliseconds = 3_600_000;
// Watches deliver changes a little later.
const slackMilliseconds = 30_000;

/** The dependencies of the background work. */
export interface BackgroundRunOptions {
  readonly client: ApiClient;
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly isDryRun: boolean;
  /** The time in RFC 3339 before which another process handled every change. */
  readonly since: string;
  /** Whether this process may change the cluster. */
  readonly mayWrite: () => boolean;
  readonly done: (action: Action, reason: Reason) => void;
  readonly found: (problem: BackgroundProblem) => void;
  readonly log: Log;
}

/** The background work of a process from the time when it becomes the leader until it is not any more. */
export class BackgroundRun {
  readonly problems: Problems;
  readonly #options: BackgroundRunOptions;
  readonly #discovery: Discovery;
  readonly #watches: Watches;
  readonly #generation: GenerationController;
  readonly #mutation: MutationController;
  readonly #cleanup: CleanupController;
  readonly #ttl: TtlController;
  #used: Generation | undefined;
  #using: Promise<void> | undefined;
  #survey: Survey = { labelled: new Set(), listable: new Set() };
  /** Whether the cluster no longer serves a resource that discovery found. */
  #isDiscoveryOld = false;
  #lastSweep = Number.NEGATIVE_INFINITY;
  #lastMutation: number = performance.now();

  constructor(options: BackgroundRunOptions) {
    const { client, log, excludedNamespaces } = options;
    this.#options = options;
    this.problems = new Problems(options.found);
    this.#discovery = new Discovery(client);
    this.#watches = new Watches(client, log, {
      changed: (object, change) => this.#changed(object, change),
      synced: () => this.#generation.addAll(),
      notServed: () => {
        this.#isDiscoveryOld = true;
      },
    });
    const common = {
      writer: new ObjectWriter(options),
      discovery: this.#discovery,
      problems: this.problems,
      excludedNamespaces,
    };
    this.#cleanup = new CleanupController({ ...common, client, isDryRun: options.isDryRun });
    this.#ttl = new TtlController(common);
    this.#mutation = new MutationController({ ...common, client, since: options.since });
    this.#generation = new GenerationController({
      ...common,
      watches: this.#watches,
      isPolicyDeleted: (key) =>
        isPolicyDeleted(key, { client, discovery: this.#discovery, generation: this.#used }),
      needsWatches: () => this.#follow(),
    });
  }

  /** The number of pieces of work that wait for their turn. */
  get length(): number {
    return (
      this.#generation.length + this.#mutation.length + this.#cleanup.length + this.#ttl.length
    );
  }

  /** The time in RFC 3339 before which every change was handled; `undefined` while this is unknown. */
  get doneUntil(): string | undefined {
    if (this.#used === undefined || this.#watches.unreadable.length > 0) return undefined;
    return new Date(this.#mutation.doneUntil - slackMilliseconds).toISOString();
  }

  /** Whether the set of policies is in use and every change of its triggers is seen. */
  follows(generation: Generation | undefined): boolean {
    return this.#used === generation && this.#using === undefined && this.#watches.isRead;
  }

  /** Uses the set of policies, and compares everything again from time to time. */
  tick(generation: Generation | undefined): void {
    if (this.#used !== undefined) this.#reportUnread();
    if (generation === undefined || this.#using !== undefined) return;
    const isDue = performance.now() - this.#lastSweep >= repeatMilliseconds;
    if (generation === this.#used && !isDue && !this.#isDiscoveryOld) return;
    this.#using = this.#use(generation, isDue).finally(() => {
      this.#using = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#watches.stop();
    const controllers = [this.#generation, this.#mutation, this.#cleanup, this.#ttl];
    await Promise.all([this.#using, ...controllers.map((each) => each.stop())]);
  }

  async #use(generation: Generation, isDue: boolean): Promise<void> {
    try {
      this.#isDiscoveryOld = false;
      await this.#discovery.refresh();
      if (isDue) {
        const { client } = this.#options;
        this.#survey = await surveyResources(client, this.#discovery.resources, this.#survey);
        this.#lastSweep = performance.now();
      }
      this.#generation.use(generation.chain.kyverno?.background);
      this.#mutation.use(generation.chain.kyverno?.background);
      this.#repeatMutation();
      this.#cleanup.use(generation.chain.kyverno?.background);
      this.#used = generation;
      this.#follow();
      this.problems.set('discovery', undefined);
    } catch (error) {
      const message = `cannot read the kinds of the cluster: ${errorText(error)}`;
      this.problems.set('discovery', { policy: 'background', message });
    }
  }

  #repeatMutation(): void {
    if (performance.now() - this.#lastMutation < mutationMilliseconds) return;
    this.#lastMutation = performance.now();
    this.#mutation.addAll();
  }

  #follow(): void {
    const { labelled, listable } = this.#survey;
    const expiring = this.#ttl.collections(listable);
    this.#ttl.retain(expiring);
    this.#watches.follow([
      ...this.#generation.collections(labelled),
      ...this.#mutation.collections(),
      ...expiring,
    ]);
  }

  #reportUnread(): void {
    this.#reportForbidden();
    const { unreadable } = this.#watches;
    const message = `cannot read ${[...new Set(unreadable)].join('; ')}`;
    const problem = unreadable.length === 0 ? undefined : { policy: 'background', message };
    this.problems.set('unread', problem);
  }

  #reportForbidden(): void {
    const paths = this.#watches.forbidden.map(({ resource }) => resource.path);
    const message = `no permission to list and watch ${[...new Set(paths)].join(', ')}`;
    const problem = paths.length === 0 ? undefined : { policy: 'background', message };
    this.problems.set('permissions', problem);
  }

  #changed(object: KubernetesObject, change: WatchedChange): void {
    this.#generation.changed(object, change);
    this.#mutation.changed(object, change);
    this.#ttl.changed(object, change);
  }
}
