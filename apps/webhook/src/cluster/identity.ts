import type { Agent as PlainAgent } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { member } from '@kubeadmit/apimachinery';
import { readBytes, readErrorText, readText } from '@kubeadmit/files';
import { ApiError } from './api-error.ts';
import { type ClusterAccess, readAccess } from './cluster-access.ts';
import { environmentProxy } from './environment-proxy.ts';
import { type ExecCredential, ExecPlugin } from './exec-plugin.ts';
import type { AccessEntry, ClusterEntry, ExecEntry, FileOrData, UserEntry } from './kubeconfig.ts';

/** How a request to a cluster is sent. */
export interface Sending {
  readonly server: URL;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Without one, requests are not encrypted. */
  readonly agent: PlainAgent | undefined;
}

interface Tls {
  readonly ca: Buffer | undefined;
  readonly cert: Buffer | string | undefined;
  readonly key: Buffer | string | undefined;
  readonly servername: string;
  readonly rejectUnauthorized: boolean;
}

// Tokens of service accounts, and certificates that something renews, change in their files.
const keptMilliseconds = 10_000;
// Before kube-apiserver ends idle connections, so that no request is sent on one that is being closed.
const idleMilliseconds = 45_000;

/**
 * Who the program is for a cluster, as client-go reads it from a kubeconfig or the service account of a pod: tokens and
 * certificates from files and plugins, basic authentication, auth providers, impersonation, proxies.
 *
 * Files, the kubeconfig among them, are read again every ten seconds, and at once when the server refuses the
 * credentials.
 */
export class Identity {
  readonly #access: ClusterAccess;
  #entry: AccessEntry;
  #plugin: { readonly entry: ExecEntry; readonly plugin: ExecPlugin } | undefined;
  #agent: { readonly key: unknown; readonly agent: PlainAgent } | undefined;
  #kept: { readonly sending: Sending; readonly until: number } | undefined;
  #reading: Promise<Sending> | undefined;

  /** @throws ApiError when the kubeconfig cannot be used. */
  constructor(access: ClusterAccess) {
    this.#access = access;
    this.#entry = readAccess(access);
  }

  /** The source of the credentials, for messages. */
  get source(): string {
    return this.#access.kind === 'inCluster' ? 'the service account' : 'the kubeconfig';
  }

  /**
   * Returns how requests are sent now.
   *
   * @throws ApiError when a file cannot be read or a plugin fails.
   */
  async sending(): Promise<Sending> {
    if (this.#kept !== undefined && this.#kept.until > performance.now()) return this.#kept.sending;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Reads the credentials again, since the server refused them; false where they are the same. */
  async renew(refused: Sending): Promise<boolean> {
    if (this.#kept?.sending === refused) {
      this.#plugin?.plugin.forget();
      this.#kept = undefined;
    }
    const now = await this.sending();
    return now.agent !== refused.agent || !isDeepStrictEqual(now.headers, refused.headers);
  }

  async #read(): Promise<Sending> {
    const before = this.#kept?.sending;
    try {
      this.#entry = readAccess(this.#access);
    } catch (error) {
      // The kubeconfig is being written.
      if (before === undefined) throw error;
    }
    const sending = await this.#resolve(this.#entry);
    this.#kept = { sending, until: performance.now() + keptMilliseconds };
    return sending;
  }

  async #resolve({ cluster, user }: AccessEntry): Promise<Sending> {
    const server = new URL(cluster.server);
    const exec = await this.#execCredential(user, cluster);
    const tls: Tls = {
      ca: contentOf(cluster.authority),
      cert: contentOf(user.certificate) ?? (exec?.certificate || undefined),
      key: contentOf(user.key) ?? (exec?.key || undefined),
      servername: cluster.tlsServerName,
      rejectUnauthorized: !cluster.skipsVerification,
    };
    const proxy = cluster.proxyUrl || environmentProxy(server, process.env);
    const authorization = await authorizationOf(user, exec?.token ?? '', cluster);
    return {
      server,
      headers: {
        ...(authorization === '' ? {} : { authorization }),
        ...impersonationHeaders(user.impersonate),
      },
      agent: await this.#agentFor(server, tls, proxy),
    };
  }

  async #execCredential(
    user: UserEntry,
    cluster: ClusterEntry,
  ): Promise<ExecCredential | undefined> {
    const { exec: entry } = user;
    if (entry === undefined || hasOtherCredentials(user)) return undefined;
    if (!isDeepStrictEqual(this.#plugin?.entry, entry)) {
      this.#plugin = { entry, plugin: new ExecPlugin(entry, cluster) };
    }
    return this.#plugin?.plugin.credential();
  }

  // Connections are kept as long as the credentials in them are the same.
  async #agentFor(server: URL, tls: Tls, proxy: string): Promise<PlainAgent | undefined> {
    if (server.protocol === 'http:' && proxy === '') return undefined;
    const key = [server.href, tls, proxy];
    if (this.#agent !== undefined && isDeepStrictEqual(this.#agent.key, key)) {
      return this.#agent.agent;
    }
    const options: AgentOptions = {
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      // As in Go, the authority of a kubeconfig may be the certificate of the server itself.
      allowPartialTrustChain: true,
      ...(tls.cert === undefined ? {} : { cert: tls.cert }),
      ...(tls.key === undefined ? {} : { key: tls.key }),
      ...(tls.servername === '' ? {} : { servername: tls.servername }),
      rejectUnauthorized: tls.rejectUnauthorized,
      keepAlive: true,
      timeout: idleMilliseconds,
    };
    const agent = proxy === '' ? new Agent(options) : await proxyAgent(server, options, proxy);
    this.#agent = { key, agent };
    return agent;
  }
}

// A plugin has the lowest precedence.
function hasOtherCredentials(user: UserEntry): boolean {
  const { token, tokenFile, username, password, certificate } = user;
  const given = [token, tokenFile, username, password, certificate.file, certificate.data];
  return given.some((each) => each !== '');
}

// The Kubernetes client library has agents for each kind of proxy.
async function proxyAgent(
  server: URL,
  options: AgentOptions,
  proxyUrl: string,
): Promise<PlainAgent> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const cluster = { name: 'cluster', server: server.href, skipTLSVerify: false, proxyUrl };
  config.loadFromClusterAndUser(cluster, { name: 'user' });
  const made: { agent?: PlainAgent } & AgentOptions = { ...options };
  await config.applyToHTTPSOptions(made);
  if (made.agent === undefined) throw new ApiError(0, `the proxy ${proxyUrl} cannot be used`);
  Object.assign(made.agent, { keepAlive: true });
  Object.assign((made.agent as Agent).options, { keepAlive: true, timeout: idleMilliseconds });
  return made.agent;
}

async function authorizationOf(
  user: UserEntry,
  execToken: string,
  cluster: ClusterEntry,
): Promise<string> {
  const token = tokenOf(user) || execToken;
  if (token !== '') return `Bearer ${token}`;
  if (user.username !== '' || user.password !== '') {
    return `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
  }
  return user.authProvider === undefined ? '' : providerAuthorization(user.authProvider, cluster);
}

// The file takes precedence; the token is used if the file is unreadable or empty.
function tokenOf({ token, tokenFile }: UserEntry): string {
  if (tokenFile === '') return token;
  try {
    const read = readText(tokenFile).trim();
    if (read !== '' || token !== '') return read || token;
  } catch (error) {
    if (token !== '') return token;
    throw new ApiError(0, `the token file ${tokenFile}: ${readErrorText(error)}`);
  }
  throw new ApiError(0, `the token file ${tokenFile} is empty`);
}

async function providerAuthorization(provider: object, cluster: ClusterEntry): Promise<string> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'cluster', server: cluster.server, skipTLSVerify: true },
    { name: 'user', authProvider: provider },
  );
  const made: { headers?: object } = {};
  try {
    await config.applyToHTTPSOptions(made);
  } catch (error) {
    const name = String(member(provider, 'name') ?? '');
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new ApiError(0, `the auth provider \`${name}\` failed: ${reason}`);
  }
  return String(member(made.headers, 'Authorization') ?? '');
}

function impersonationHeaders({
  user,
  uid,
  groups,
  extra,
}: UserEntry['impersonate']): Record<string, string | readonly string[]> {
  return {
    ...(user === '' ? {} : { 'impersonate-user': user }),
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${escapedKey(key)}`,
        values,
      ]),
    ),
  };
}

// Escapes the characters that a header name cannot have, as client-go does (`headerKeyEscape`).
function escapedKey(key: string): string {
  return Array.from(Buffer.from(key, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte);
    return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function contentOf({ file, data }: FileOrData): Buffer | undefined {
  if (data !== '') return Buffer.from(data, 'base64');
  if (file === '') return undefined;
  try {
    return Buffer.from(readBytes(file));
  } catch (error) {
    throw new ApiError(0, `${file}: ${readErrorText(error)}`);
  }
}
