import { newestMinor } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import { bootstrap } from './bootstrap.ts';
import { ClusterState } from './cluster/cluster-state.ts';
import { startControllers } from './controllers/controllers.ts';
import type { Codec } from './encoding/codec.ts';
import { handleRequest } from './handle-request.ts';
import type { Clock, TokenIssuer, TokenReviewer, WebhookClient } from './host.ts';
import type { Machinery } from './machinery.ts';
import { Registry } from './registry/registry.ts';
import type { ApiRequest } from './request.ts';
import type { ApiResponse } from './response.ts';
import type { Store } from './store/store.ts';

/** What an API server is made of. */
export interface ApiServerOptions {
  readonly store: Store;
  /** What is known about built-in kinds, from `loadSchemas`. */
  readonly schemas: Schemas;
  /** Such as `1.37` or `1.37.1`; default the newest known. */
  readonly kubernetesVersion?: string | undefined;
  readonly clock: Clock;
  /** A random UUID of version 4 in lower case. */
  readonly randomUid: () => string;
  /** Media types beside JSON and YAML. */
  readonly codecs?: readonly Codec[] | undefined;
  /** `rbac` (default), or everything is allowed. */
  readonly authorization?: 'rbac' | 'always-allow' | undefined;
  /** Whether the small controllers run; default yes. */
  readonly controllers?: boolean | undefined;
  /** Calls registered webhooks; without it a webhook that matches fails by its failure policy. */
  readonly webhooks?: WebhookClient | undefined;
  readonly tokens?: TokenIssuer | undefined;
  readonly tokenReviewer?: TokenReviewer | undefined;
  /** The address in legacy discovery, such as `127.0.0.1:6443`. */
  readonly address?: string | undefined;
}

/** The API of a cluster: requests in, answers or streams of events out. */
export interface ApiServer {
  /** Answers a request; never rejects. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Resolves when what is always there (namespaces, bootstrap roles) is there, and policies are loaded. */
  readonly ready: Promise<void>;
  /** The kinds that are served now, those of definitions too. */
  schemas(): Schemas;
  /** Ends watches and controllers; the store stays open. */
  close(): Promise<void>;
}

/** Makes an API server over a store. */
export function createApiServer(given: ApiServerOptions): ApiServer {
  const kubernetesVersion = given.kubernetesVersion ?? `1.${newestMinor}`;
  const options = { ...given, kubernetesVersion, codecs: given.codecs ?? [] };
  const registry: Registry = new Registry(given.store, () => cluster.schemas);
  const cluster: ClusterState = new ClusterState({
    store: given.store,
    cache: registry.cache,
    schemas: given.schemas,
    kubernetesVersion: kubernetesVersion.split('.').slice(0, 2).join('.'),
    allowsEverything: given.authorization === 'always-allow',
    clock: given.clock,
  });
  const machinery: Machinery = { options, cluster, registry };
  const abort = new AbortController();
  const ready = start(machinery, abort.signal);
  return {
    handle: async (request) => {
      await ready;
      return handleRequest(machinery, withEnd(request, abort.signal));
    },
    ready,
    schemas: () => cluster.schemas,
    close: async () => {
      abort.abort();
      cluster.stop();
    },
  };
}

async function start(machinery: Machinery, signal: AbortSignal): Promise<void> {
  await machinery.cluster.start();
  await bootstrap(machinery);
  await machinery.cluster.caughtUp(machinery.registry.lastWrite);
  await machinery.cluster.cluster();
  await startControllers(machinery, signal);
}

// Requests end with the server.
function withEnd(request: ApiRequest, end: AbortSignal): ApiRequest {
  const signal = request.signal === undefined ? end : AbortSignal.any([request.signal, end]);
  return { ...request, signal };
}
