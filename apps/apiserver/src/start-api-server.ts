import { randomUUID, X509Certificate } from 'node:crypto';
import { ApiClient, createApiServer, serverUser } from '@kubeadmit/apiserver';
import { loadSchemas } from '@kubeadmit/schemas';
import { tokenAuthentication, tokenReviewer } from './authentication/authenticators.ts';
import { ServiceAccountTokens } from './authentication/service-account-tokens.ts';
import { type Identity, loadIdentity } from './certificates/identity.ts';
import { kubeconfigText } from './certificates/kubeconfig.ts';
import { systemClock } from './clock.ts';
import { isLoopback } from './configuration/loopback.ts';
import { requireServerOptions } from './configuration/require-server-options.ts';
import type { ServerOptions } from './configuration/server-options.ts';
import { UsageError } from './configuration/usage-error.ts';
import { Listener } from './http/listener.ts';
import { RequestHandler } from './http/request-handler.ts';
import { loadManifests } from './loading/load-manifests.ts';
import { readAdmission } from './loading/read-admission.ts';
import { StaticFolders } from './loading/static-folders.ts';
import { AuditLog } from './operation/audit-log.ts';
import { Metrics } from './operation/metrics.ts';
import { createPages } from './operation/pages.ts';
import { Readiness } from './operation/readiness.ts';
import { webhookClient } from './operation/webhook-client.ts';
import { loadProtobufCodec } from './protobuf-codec.ts';
import { openStore } from './stores/open-store.ts';
import { StoreError } from './stores/store-error.ts';

/** A server that runs. */
export interface RunningApiServer {
  /** Such as `https://127.0.0.1:6443`. */
  readonly url: string;
  /** The text of a kubeconfig with all rights. */
  readonly kubeconfig: string;
  /** The authority of the server's certificate, as PEM. */
  readonly certificateAuthority: string;
  /** How many manifests were put in at the start. */
  readonly loaded: number;
  /** Ends watches, waits a moment for requests, and closes the store. */
  close(): Promise<void>;
}

const graceMilliseconds = 5_000;
const dayMilliseconds = 86_400_000;

/**
 * Starts an API server that kubectl, client-go and others use as a cluster.
 *
 * Rejects with a `TypeError` for unknown options or options of the wrong type, and a `UsageError` for invalid
 * values. Rejects with a `StoreError` for a store that cannot be opened, and a `LoadError` for manifests that the
 * cluster rejects. In these cases nothing is left running.
 */
export async function startApiServer(options: ServerOptions = {}): Promise<RunningApiServer> {
  requireServerOptions(options);
  const cleanups: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    return { ...(await start(options, cleanups)), close };
  } catch (error) {
    // The original error is more useful than errors of the cleanup.
    await close().catch((other: unknown) => {
      process.stderr.write(`${describe(other)}\n`);
    });
    throw error;
  }
}

async function start(
  options: ServerOptions,
  cleanups: (() => Promise<void>)[],
): Promise<Omit<RunningApiServer, 'close'>> {
  const { host, port } = options.listen ?? { host: '127.0.0.1', port: 0 };
  if (options.authorization === 'always-allow' && !isLoopback(host)) {
    throw new UsageError(`--always-allow requires a loopback address, not ${host}`);
  }
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  const { plugins, folders } = await readAdmission(options, tell);
  const [schemas, opened] = await Promise.all([
    loadSchemas(options.kubernetesVersion ? { version: options.kubernetesVersion } : {}),
    openStore(options.store ?? { type: 'memory' }),
  ]);
  cleanups.push(() => opened.store.close());
  const { now } = systemClock;
  let identity = await orStoreError(loadIdentity(options, { keys: opened.keys, host, now: now() }));
  const codec = await loadProtobufCodec(schemas);
  const tokens: ServiceAccountTokens = new ServiceAccountTokens({
    key: identity.tokenKey,
    certificateAuthority: identity.certificateAuthority,
    now,
    ask: (request) => client.ask(request),
  });
  const authentication = await tokenAuthentication(options, tokens, now);
  const readiness = new Readiness();
  const metrics = new Metrics();
  const health = readiness.checks(opened.health);
  const server = createApiServer({
    store: opened.store,
    schemas,
    kubernetesVersion: options.kubernetesVersion,
    clock: systemClock,
    randomUid: randomUUID,
    codecs: [codec],
    plugins,
    authorization: options.authorization,
    controllers: options.controllers,
    webhooks: webhookClient,
    tokens,
    tokenReviewer: tokenReviewer(authentication),
    pages: createPages({ health, metrics, tokens }),
    countPluginEvent: (count) => metrics.countPluginEvent(count),
    address: `${host}:${port}`,
  });
  const client = new ApiClient(server, serverUser, 'kubeadmit');
  cleanups.push(() => server.close());
  const audit = options.auditLog && new AuditLog(options.auditLog);
  if (audit) cleanups.push(async () => audit.close());
  const handler = new RequestHandler({
    server,
    encoding: { schemas, codecs: [codec] },
    authentication,
    health,
    metrics,
    audit,
    isOwnName: (name) => isNameOf(identity, name),
    onError: (error) => process.stderr.write(`${describe(error)}\n`),
  });
  const listener = new Listener(
    identity,
    (request, response) => void handler.handle(request, response),
  );
  const staticFolders = new StaticFolders(server, tell);
  cleanups.push(async () => staticFolders.stop());
  staticFolders.start(folders);
  await orStoreError(server.ready);
  const usedPort = await listener.listen({ host, port }).catch((error: Error) => {
    throw new UsageError(`cannot listen on ${host}:${port}: ${error.message}`);
  });
  // Watches end with the server, and only then their connections.
  cleanups.push(async () => {
    await Promise.all([listener.close(graceMilliseconds), server.close()]);
  });
  const stopRenewing = everyDay(async () => {
    identity = await loadIdentity(options, { keys: opened.keys, host, now: now() });
    listener.renew(identity);
  });
  cleanups.push(async () => stopRenewing());
  const { applied } = await loadManifests(client, options.load ?? []);
  readiness.hasStarted = true;
  cleanups.push(async () => {
    readiness.isEnding = true;
  });
  const url = `https://${hostInUrl(host)}:${usedPort}`;
  const { administrator, certificateAuthority } = identity;
  const kubeconfig = kubeconfigText({ url, authority: certificateAuthority, administrator });
  return { url, kubeconfig, certificateAuthority, loaded: applied };
}

/** Renews certificates once a day; returns a function that stops this. */
function everyDay(renew: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    // The current certificate stays valid for a while; the next attempt is a day later.
    renew().catch((error: unknown) => {
      process.stderr.write(`cannot renew certificates: ${describe(error)}\n`);
    });
  }, dayMilliseconds);
  return () => clearInterval(timer);
}

/** Waits for a write to the store at the start; reports a full disk as a store error. */
async function orStoreError<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    // Errors of the system and of the database have codes.
    const isOfDisk = error instanceof Error && 'code' in error && typeof error.code === 'string';
    throw isOfDisk ? new StoreError(`the store cannot be written to: ${error.message}`) : error;
  }
}

function isNameOf({ serving }: Identity, name: string): boolean {
  return new X509Certificate(serving.certificate).checkHost(name) !== undefined;
}

/** An address that clients on this machine reach. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
