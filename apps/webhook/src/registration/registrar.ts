import { type JsonObject, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { deepEqual } from '@kubeadmit/go';
import type { Json } from '@kubeadmit/mutator';
import { Alarm } from '../certificates/alarm.ts';
import { watchConfigurations } from '../certificates/watch-configurations.ts';
import { configurationKinds, configurationPath } from '../certificates/webhook-configurations.ts';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import { Lease } from '../cluster/lease.ts';
import type { Log } from '../logging/log.ts';
import { configurationObject, type Reach } from './configuration-object.ts';
import { isPaused, leasePath, registrationLease } from './pause.ts';
import type { Registration } from './webhooks.ts';

const repeatMilliseconds = 10_000;
const retryMilliseconds = 1_000;

/** The dependencies of a registrar. */
export interface RegistrarOptions {
  readonly client: ApiClient;
  /** The name of both configurations. */
  readonly name: string;
  readonly reach: Reach;
  readonly annotations: Readonly<Record<string, string>>;
  readonly lease: { readonly namespace: string; readonly identity: string };
  /** Whether requests are answered here; nothing is registered before. */
  readonly isReady: () => boolean;
  /** The authorities that kube-apiserver trusts; empty for those of its system. */
  readonly authorities: () => string;
  /** Called by the replica that holds the Lease whenever the configurations are as the policies need them. */
  readonly registered: (registration: Registration) => void;
  readonly log: Log;
}

/**
 * Keeps both webhook configurations as the policies need them.
 *
 * One replica writes them when policies change, when a configuration was changed by others, and every ten seconds.
 * Nothing is written before a replica is ready.
 */
export class Registrar {
  readonly #options: RegistrarOptions;
  readonly #lease: Lease;
  readonly #alarm: Alarm = new Alarm();
  readonly #ending: AbortController = new AbortController();
  #wanted: Registration | undefined;
  #lastProblem = '';

  constructor(options: RegistrarOptions) {
    this.#options = options;
    const name = registrationLease(options.name);
    this.#lease = new Lease(options.client, { ...options.lease, name }, (error) =>
      this.#fail(error),
    );
  }

  /** Why the configurations are not as the policies need them; empty when they are. */
  get problem(): string {
    return this.#lastProblem;
  }

  /** Takes the webhooks that the policies need now. */
  use(registration: Registration): void {
    this.#wanted = registration;
    this.#alarm.ring();
  }

  /** Keeps the configurations until it is stopped. */
  start(): void {
    this.#lease.start();
    void this.#run();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#lease.stop();
  }

  async #run(): Promise<void> {
    const { client, name, log } = this.#options;
    const { signal } = this.#ending;
    const stop = watchConfigurations(client, [name], () => this.#alarm.ring(), log);
    while (!signal.aborted) {
      const isDone = await this.#reconcile();
      await this.#alarm.wait(isDone ? repeatMilliseconds : retryMilliseconds, signal);
    }
    stop();
  }

  async #reconcile(): Promise<boolean> {
    const wanted = this.#wanted;
    if (wanted === undefined || !this.#options.isReady() || !this.#lease.isHeld) return false;
    try {
      for (const { resource, kind, step } of configurationKinds) {
        await this.#write(resource, this.#object(kind, wanted[step]));
      }
      this.#lastProblem = '';
      this.#options.registered(wanted);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #object(kind: string, webhooks: Registration['mutate']): JsonObject | undefined {
    if (webhooks.length === 0) return undefined;
    const { authorities, ...options } = this.#options;
    return configurationObject(kind, webhooks, { ...options, authorities: authorities() });
  }

  async #write(resource: string, wanted: JsonObject | undefined): Promise<void> {
    const { client, name, lease, log } = this.#options;
    const folder = configurationPath(resource);
    const now = await client.find(`${folder}/${name}`);
    const isRight = now === undefined ? wanted === undefined : isAsWanted(now, wanted);
    if (isRight) return;
    if (isPaused(await client.find(leasePath(lease.namespace, name)))) {
      throw new Error('the registration is paused; resume it with `kubeadmit webhook resume`');
    }
    if (wanted === undefined) {
      await client.remove(`${folder}/${name}`);
      return;
    }
    const body = JSON.stringify(now === undefined ? wanted : changedTo(now, wanted));
    if (now === undefined) await client.ask(folder, { method: 'POST', body });
    else await client.ask(`${folder}/${name}`, { method: 'PUT', body });
    log.info({ configuration: name, kind: wanted['kind'] }, 'webhook configuration written');
  }

  #fail(error: unknown): void {
    // Another client was faster; the next round sees its changes.
    if (error instanceof ApiError && error.code === 409) return;
    const problem = errorText(error);
    if (problem !== this.#lastProblem) {
      this.#options.log.error({ problem }, 'cannot write the webhook configurations');
    }
    this.#lastProblem = problem;
  }
}

function isAsWanted(now: KubernetesObject, wanted: JsonObject | undefined): boolean {
  return wanted !== undefined && deepEqual(now as Json, changedTo(now, wanted) as Json);
}

// Labels and annotations of others stay.
function changedTo(now: KubernetesObject, { metadata, webhooks }: JsonObject): object {
  const before = (member(now, 'metadata') ?? {}) as JsonObject;
  const { annotations } = metadata as { readonly annotations?: object };
  const all = { ...(before['annotations'] as object | undefined), ...annotations };
  return {
    ...now,
    metadata: annotations === undefined ? before : { ...before, annotations: all },
    webhooks,
  };
}
