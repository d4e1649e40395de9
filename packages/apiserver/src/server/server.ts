import { defaultPluginSet } from '@kubeadmit/admission/plugins';
import type { StaticManifest, StaticProblem } from '@kubeadmit/admission/static-policies';
import {
  requireOptions as checkOptions,
  describeValue,
  hasMembers,
  type OptionKind,
  requireArgument,
} from '@kubeadmit/base';
import { newestMinor, parseVersion } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import { ClusterState } from '../cluster/cluster-state.ts';
import type { ApiServerOptions } from '../host/api-server-options.ts';
import { type ApiRequest, withSignal } from '../http/request.ts';
import type { ApiResponse } from '../http/response.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { Registry } from '../store/registry.ts';
import { bootstrap } from './bootstrap.ts';
import { startControllers } from './controllers.ts';
import { handleRequest } from './handle-request.ts';

/** The API of a cluster: requests in, answers or streams of events out. */
export interface ApiServer {
  /** Answers a request; never rejects. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Resolves when the permanent objects (namespaces, bootstrap roles) exist, and policies are loaded. */
  readonly ready: Promise<void>;
  /** The kinds that are served now, those of definitions too. */
  schemas(): Schemas;
  /**
   * Replaces the policies, bindings and webhook configurations that the server reads from its own disk
   * (`staticManifestsDir`), as kube-apiserver does at its start and after a change of the folder: all of them, or none
   * if one is invalid. Returns the problems. They come before the stored ones, and also see requests about policies and
   * webhooks. Hosts must load them before the first request.
   */
  useStaticManifests(manifests: readonly StaticManifest[]): readonly StaticProblem[];
  /** Ends watches and controllers; the store stays open. */
  close(): Promise<void>;
}

/**
 * Makes an API server over a store.
 *
 * @throws TypeError when an option is missing that it needs
 */
export function createApiServer(given: ApiServerOptions): ApiServer {
  requireOptions(given);
  const machinery = makeMachinery(given);
  const { cluster } = machinery;
  const abort = new AbortController();
  const ready = start(machinery, abort.signal);
  // Handled here, so that a failure before anyone waits for it is not an unhandled rejection.
  const started = ready.catch(() => undefined);
  return {
    handle: async (request) => {
      await ready;
      return handleRequest(machinery, withEnd(request, abort.signal));
    },
    ready,
    schemas: () => cluster.schemas,
    useStaticManifests: (manifests) => cluster.useStaticManifests(manifests),
    close: async () => {
      abort.abort();
      cluster.stop();
      // The start may still write to the store, which its owner closes after this.
      await started;
    },
  };
}

/** Makes the state that all requests share; nothing is read from the store yet. */
export function makeMachinery(given: ApiServerOptions): Machinery {
  const kubernetesVersion = given.kubernetesVersion ?? `1.${newestMinor}`;
  const minor = parseVersion(kubernetesVersion);
  const plugins = given.plugins ?? defaultPluginSet(minor);
  const options = { ...given, kubernetesVersion, codecs: given.codecs ?? [], plugins };
  const registry: Registry = new Registry(given.store, () => cluster.schemas, {
    now: () => given.clock.now(),
    randomId: () => given.randomUid(),
    codecs: options.codecs,
  });
  const cluster: ClusterState = new ClusterState({
    store: given.store,
    cache: registry.cache,
    schemas: given.schemas,
    kubernetesVersion: kubernetesVersion.split('.').slice(0, 2).join('.'),
    allowsEverything: given.authorization === 'always-allow',
    clock: given.clock,
    randomUid: given.randomUid,
    plugins,
  });
  return { options, cluster, registry };
}

const optionKinds: Readonly<Record<keyof ApiServerOptions, OptionKind>> = {
  store: 'any',
  schemas: 'any',
  kubernetesVersion: 'string',
  clock: 'any',
  randomUid: 'any',
  codecs: 'list',
  authorization: ['rbac', 'always-allow'],
  plugins: 'object',
  controllers: 'boolean',
  webhooks: 'any',
  tokens: 'any',
  tokenReviewer: 'any',
  countPluginEvent: 'function',
  pages: 'function',
  address: 'string',
};

function requireOptions(given: ApiServerOptions): void {
  checkOptions('createApiServer', given, optionKinds);
  const { store, schemas, clock, randomUid } = given;
  const needed = { store, schemas, clock, randomUid };
  for (const [name, value] of Object.entries(needed)) {
    const isRight = name === 'randomUid' ? typeof value === 'function' : hasMembers(value);
    if (isRight && !(value instanceof Promise)) continue;
    throw new TypeError(`createApiServer: \`${name}\` is ${describeValue(value)}`);
  }
  requireMethods('store', store, ['revision', 'get', 'range']);
  requireMethods('clock', clock, ['now', 'sleep']);
  requireArgument('createApiServer: `schemas`', schemas, { what: 'schemas', has: 'names' });
}

function requireMethods(name: string, value: object, methods: readonly string[]): void {
  const missing = methods.find((method) => typeof Reflect.get(value, method) !== 'function');
  if (missing === undefined) return;
  throw new TypeError(`createApiServer: \`${name}\` has no method \`${missing}\``);
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
  let made: AbortSignal | undefined;
  return withSignal(request, () => {
    const { signal } = request;
    made ??= signal === undefined ? end : AbortSignal.any([signal, end]);
    return made;
  });
}
