import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../cluster/api-client.ts';
import { Lease } from '../cluster/lease.ts';
import type { Log } from '../logging/log.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import { BackgroundRun } from './background-run.ts';
import type { Action, Reason } from './object-writer.ts';
import type { BackgroundProblem } from './problems.ts';

const tickMilliseconds = 1_000;
const pollMilliseconds = 50;
const mostMilliseconds = 10_000;

/** The name of the Lease whose holder does the background work. */
const backgroundLease = 'kubeadmit-background';

/** The dependencies of the background controller. */
export interface BackgroundOptions {
  readonly client: ApiClient;
  /** The namespace of the Lease. */
  readonly namespace: string;
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly isDryRun: boolean;
  readonly policies: PolicyStore;
  readonly done: (action: Action, reason: Reason) => void;
  readonly found: (problem: BackgroundProblem) => void;
  readonly log: Log;
}

/** The state of the background controller of a process. */
export interface BackgroundState {
  readonly isLeader: boolean;
  readonly queueLength: number;
  readonly problems: number;
  /** Why a part of the work is not done; empty if all is. */
  readonly problem: string;
}

/** Does the background work of policies in one process of all replicas. */
export class Background {
  readonly #options: BackgroundOptions;
  readonly #lease: Lease;
  #run: BackgroundRun | undefined;
  #timer: NodeJS.Timeout | undefined;
  #leaseProblem = '';

  constructor(options: BackgroundOptions) {
    this.#options = options;
    const { client, namespace, log } = options;
    const identity = `${hostname()}_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
    const note = (): string | undefined => this.#run?.doneUntil;
    const lease = { namespace, name: backgroundLease, identity, note };
    this.#lease = new Lease(client, lease, (error) => {
      this.#leaseProblem = String(error);
      log.warn({ problem: this.#leaseProblem }, 'cannot acquire the background lease');
    });
  }

  /** Tries to become the leader from now on. */
  start(): void {
    this.#lease.start();
    this.#timer = setInterval(() => this.#tick(), tickMilliseconds);
  }

  /** Ends the work that was begun, and lets another process take over. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#run?.stop();
    await this.#lease.stop();
  }

  /**
   * Waits until the background work uses the current policies and sees every change of their triggers, for at most ten
   * seconds. Does not wait for the work of another process.
   */
  async followsPolicies(): Promise<void> {
    const late = performance.now() + mostMilliseconds;
    while (performance.now() < late) {
      this.#tick();
      const { current } = this.#options.policies;
      if (this.#run === undefined || this.#run.follows(current)) return;
      await sleep(pollMilliseconds, undefined, { ref: false });
    }
  }

  get state(): BackgroundState {
    const run = this.#run;
    return {
      isLeader: run !== undefined,
      queueLength: run?.length ?? 0,
      problems: run?.problems.count ?? 0,
      problem: run?.problems.text || this.#leaseProblem,
    };
  }

  #tick(): void {
    const { isHeld } = this.#lease;
    if (isHeld && this.#run === undefined) this.#begin();
    else if (!isHeld && this.#run !== undefined) this.#end(this.#run);
    this.#run?.tick(this.#options.policies.current);
  }

  #begin(): void {
    this.#leaseProblem = '';
    const { isDryRun, log } = this.#options;
    log.info({ isDryRun }, 'background work begins');
    const since = sinceOf(this.#lease.note, performance.timeOrigin);
    const mayWrite = (): boolean => this.#lease.isHeld;
    this.#run = new BackgroundRun({ ...this.#options, since, mayWrite });
  }

  #end(run: BackgroundRun): void {
    this.#options.log.warn('background work ends: another process took over');
    this.#run = undefined;
    void run.stop();
  }
}

/**
 * Returns the time in the note of the previous leader, in RFC 3339 and UTC. Without a valid time it is the start of this
 * process, in milliseconds since 1970.
 */
export function sinceOf(note: string, start: number): string {
  const noted = Date.parse(note);
  return new Date(Number.isNaN(noted) ? start : noted).toISOString();
}
