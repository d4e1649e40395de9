import { member } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { Log } from '../logging/log.ts';
import type { NamespaceChange } from '../policies/live-namespaces.ts';
import type { PolicyGroups } from '../policies/policy-groups.ts';
import type { Snapshot } from '../policies/snapshot.ts';
import { ApiClient } from './api-client.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { ClusterSource } from './cluster-source.ts';
import type { Check } from './readiness.ts';
import type { WatchState } from './reflector.ts';
import type { Staleness } from './staleness.ts';
import { stalenessCheck } from './staleness.ts';

const versionMilliseconds = 60_000;

/** Receives the changes of a cluster. */
export interface ClusterListener {
  changed(): Promise<void>;
  namespaces(changes: readonly NamespaceChange[]): void;
  readonly log: Log;
}

/** Follows a cluster: its version, and its policies and their dependencies. */
export class ClusterFollower {
  readonly #client: ApiClient;
  readonly #source: ClusterSource;
  readonly #listener: ClusterListener;
  #asking: NodeJS.Timeout | undefined;
  #version: string | undefined;
  #wasComplete = false;

  private constructor(client: ApiClient, groups: PolicyGroups, listener: ClusterListener) {
    this.#client = client;
    this.#listener = listener;
    this.#source = new ClusterSource(
      client,
      groups,
      {
        changed: () => void listener.changed(),
        namespaces: (changes) => listener.namespaces(changes),
      },
      listener.log,
    );
  }

  /**
   * Starts following a cluster, even if it is unreachable for now.
   *
   * @throws ApiError if the kubeconfig cannot be read
   */
  static async open(
    access: ClusterAccess,
    groups: PolicyGroups,
    listener: ClusterListener,
  ): Promise<ClusterFollower> {
    const follower = new ClusterFollower(await ApiClient.open(access), groups, listener);
    await follower.#askVersion();
    follower.#asking = setInterval(() => void follower.#askVersion(), versionMilliseconds);
    follower.#source.start();
    return follower;
  }

  stop(): void {
    clearInterval(this.#asking);
    this.#source.stop();
  }

  /** The data that is not known yet; empty once everything has been read. */
  get missing(): string {
    const { missing } = this.#source;
    this.#wasComplete ||= missing === '';
    return missing;
  }

  /** Returns the current content of the cluster. */
  current(): Pick<Snapshot, 'clusterObjects' | 'clusterVersion' | 'unreadableKinds'> {
    return {
      clusterObjects: this.#source.sources(),
      clusterVersion: this.#version,
      unreadableKinds: this.#source.unreadableKinds,
    };
  }

  /** The state of the watch of each resource. */
  get watches(): readonly WatchState[] {
    return this.#source.watches;
  }

  /** Returns the checks that must pass for correct answers. */
  checks(staleness: Staleness): readonly Check[] {
    const { missing } = this;
    const { problem, lack } = this.#source;
    return [
      {
        name: 'cluster',
        problem: missing === '' ? '' : `not seen yet: ${missing}`,
        // Once the data was complete, it stays in use while new kinds are read.
        isTolerated: this.#wasComplete,
      },
      { name: 'watches', problem, isTolerated: true },
      stalenessCheck(this.watches, staleness),
      { name: 'kinds', problem: lack, isTolerated: true },
    ];
  }

  // A cluster may be upgraded while it is followed.
  async #askVersion(): Promise<void> {
    try {
      const version = member(parseJson(await this.#client.ask('/version')), 'gitVersion');
      if (typeof version !== 'string' || version === this.#version) return;
      const isFirst = this.#version === undefined;
      this.#version = version;
      if (!isFirst) await this.#listener.changed();
    } catch (error) {
      this.#listener.log.warn(
        { problem: String(error) },
        'the cluster does not report its version',
      );
    }
  }
}
