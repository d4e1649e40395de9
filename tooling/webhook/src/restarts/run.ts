import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServer } from '../server/api-server.ts';
import { Forwarder } from '../server/forwarder.ts';
import { Replica } from './replica.ts';

export interface RestartOptions {
  readonly program: string;
  /** Options of each replica, except its addresses and the URL. */
  readonly replicas: readonly (readonly string[])[];
  readonly restarts: number;
  /** Clients that create objects all the time. */
  readonly clients: number;
}

/** A request that was not answered as the policies say. */
export interface Failure {
  /** The restart that was in progress, from 1. */
  readonly restart: number;
  readonly message: string;
}

/** The result of a run. */
export interface RestartResult {
  readonly requests: number;
  readonly failures: readonly Failure[];
}

type Server = Pick<ApiServer, 'ask'>;

const readinessMilliseconds = 250;
// From a ready replica to the next restart, as `minReadySeconds` of a Deployment.
const betweenMilliseconds = 1_000;
const registrations = 300;

/** Restarts each replica in turn, `restarts` times, while clients create objects that a policy allows or denies. */
export async function restartUnderLoad(
  server: Server,
  options: RestartOptions,
): Promise<RestartResult> {
  const balancer = new Balancer();
  await balancer.listen();
  const url = `https://127.0.0.1:${balancer.port}`;
  const replicas = options.replicas.map(
    (args) => new Replica(options.program, [...args, '--webhook-url', url]),
  );
  const ending = new AbortController();
  const following = follow(balancer, replicas, ending.signal);
  const failures: Failure[] = [];
  let requests = 0;
  let restart = 0;
  const create = async (client: number): Promise<void> => {
    for (let index = 0; !ending.signal.aborted; index++) {
      const message = await mistakeOf(server, (client + index) % 10 === 0);
      requests++;
      if (message !== '') failures.push({ restart, message });
    }
  };
  let creating: readonly Promise<void>[] = [];
  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    await untilRegistered(server);
    creating = Array.from({ length: options.clients }, (_, client) => create(client));
    while (restart < options.restarts) {
      restart++;
      for (const replica of replicas) {
        await sleep(betweenMilliseconds);
        await replica.stop();
        await replica.start();
      }
    }
    await sleep(betweenMilliseconds);
  } finally {
    ending.abort();
    await Promise.all([following, ...creating]);
    await Promise.all(replicas.map((replica) => replica.stop()));
    balancer.close();
  }
  return { requests, failures };
}

async function follow(
  balancer: Balancer,
  replicas: readonly Replica[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ports = await Promise.all(
      replicas.map(async (replica) => ((await replica.isReady()) ? replica.port : undefined)),
    );
    balancer.targets = ports.filter((port) => port !== undefined);
    await sleep(readinessMilliseconds);
  }
}

/** Why the answer to a creation is not the one of the policy; empty if it is. */
async function mistakeOf(server: Server, isBad: boolean): Promise<string> {
  try {
    const { code, body } = await server.ask({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps?dryRun=All',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: isBad ? 'bad' : 'good' } },
    });
    const message = String(body['message'] ?? '');
    if (isBad) return /denied the request/.test(message) ? '' : `${code} ${message}`;
    return code === 201 ? '' : `${code} ${message}`;
  } catch (error) {
    return String(error);
  }
}

async function untilRegistered(server: Server): Promise<void> {
  for (let attempt = 0; attempt < registrations; attempt++) {
    if ((await mistakeOf(server, true)) === '') return;
    await sleep(200);
  }
  throw new Error(`not registered: ${await mistakeOf(server, true)}`);
}

/** Distributes new connections over ports of this machine in turn, as a Service does over its ready endpoints. */
class Balancer extends Forwarder {
  /** The ports that new connections lead to. */
  targets: readonly number[] = [];
  #next = 0;

  protected override next(): number | undefined {
    return this.targets[this.#next++ % Math.max(1, this.targets.length)];
  }
}
