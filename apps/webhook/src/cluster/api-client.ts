import { type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { KubeConfig } from '@kubernetes/client-node';
import { ApiError } from './api-error.ts';
import { type ClusterAccess, readAccess } from './cluster-access.ts';

/** A part of a collection. */
export interface Page {
  readonly items: readonly KubernetesObject[];
  /** That of the collection. */
  readonly resourceVersion: string;
}

/** How a request is made. */
export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: string;
  readonly contentType?: string;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

const notFound = 404;
const unauthorized = 401;
// Tokens of service accounts change within the hour.
const credentialMilliseconds = 60_000;
const answerMilliseconds = 30_000;
// Before kube-apiserver ends idle connections, so that no request is sent on one that is being closed.
const idleMilliseconds = 45_000;

/**
 * Asks an API server, as a kubeconfig or a service account says. Texts come as they are sent, since parameters
 * may hold numbers that JSON.parse would change.
 */
export class ApiClient {
  readonly #config: KubeConfig;
  readonly #server: URL;
  /** What says who asks, and whom to trust. */
  readonly #source: string;
  #agent: Agent | undefined;
  #options: { readonly value: RequestOptions; readonly until: number } | undefined;

  private constructor(config: KubeConfig, server: URL, { kind }: ClusterAccess) {
    this.#config = config;
    this.#server = server;
    this.#source = kind === 'inCluster' ? 'the service account' : 'the kubeconfig';
  }

  /**
   * Reads where the cluster is.
   *
   * @throws ApiError when that cannot be read.
   */
  static async open(access: ClusterAccess): Promise<ApiClient> {
    const { config, server } = await readAccess(access);
    return new ApiClient(config, server, access);
  }

  /**
   * The text of an answer.
   *
   * @throws ApiError when the server cannot be reached or does not succeed.
   */
  async ask(path: string, options: CallOptions = {}): Promise<string> {
    const signal = options.signal ?? AbortSignal.timeout(answerMilliseconds);
    const response = await this.#call(path, { ...options, signal });
    const answer = await textOf(response);
    const code = response.statusCode ?? 0;
    if (code >= 200 && code < 300) return answer;
    throw this.#refusal(code, answer, path);
  }

  /**
   * An object, with numbers as CEL has them; `undefined` where there is none.
   *
   * @throws ApiError when the server cannot be reached, or answers with another error.
   */
  async find(path: string): Promise<KubernetesObject | undefined> {
    const text = await this.#askOfObject(path, {});
    return text === undefined ? undefined : (parseJson(text) as KubernetesObject);
  }

  /**
   * Deletes an object, if it is there.
   *
   * @throws ApiError when the server cannot be reached, or answers with another error.
   */
  async remove(path: string): Promise<void> {
    await this.#askOfObject(path, { method: 'DELETE' });
  }

  async #askOfObject(path: string, options: CallOptions): Promise<string | undefined> {
    try {
      return await this.ask(path, options);
    } catch (error) {
      if (error instanceof ApiError && error.code === notFound) return undefined;
      throw error;
    }
  }

  /**
   * A collection (its path, with a query or without one) in pages of at most `size` objects, with numbers as CEL has
   * them.
   *
   * @throws ApiError when the server cannot be reached or does not succeed.
   */
  async *pages(path: string, size: number): AsyncGenerator<Page> {
    const first = `${path}${path.includes('?') ? '&' : '?'}limit=${size}`;
    for (let token = ''; ; ) {
      const next = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
      const page = parseJson(await this.ask(first + next));
      const metadata = member(page, 'metadata');
      yield {
        items: (member(page, 'items') ?? []) as readonly KubernetesObject[],
        resourceVersion: String(member(metadata, 'resourceVersion') ?? ''),
      };
      token = String(member(metadata, 'continue') ?? '');
      if (token === '') return;
    }
  }

  /**
   * The lines of an answer as they come.
   *
   * @throws ApiError when the server cannot be reached or does not succeed.
   */
  async lines(path: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const response = await this.#call(path, { signal });
    const code = response.statusCode ?? 0;
    if (code !== 200) throw this.#refusal(code, await textOf(response), path);
    response.setEncoding('utf8');
    return linesOf(response as AsyncIterable<string>);
  }

  async #call(path: string, options: CallOptions): Promise<IncomingMessage> {
    const credentials = await this.#credentials();
    const { method = 'GET', body, contentType = 'application/json', signal } = options;
    const target = new URL(this.#server.pathname.replace(/\/$/, '') + path, this.#server);
    const send = this.#server.protocol === 'http:' ? plainRequest : secureRequest;
    return new Promise((resolve, reject) => {
      const call = send(
        target,
        {
          ...credentials,
          method,
          headers: {
            ...credentials.headers,
            accept: 'application/json',
            'user-agent': 'kubeadmit-webhook',
            ...(body === undefined
              ? {}
              : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
          },
          ...(signal === undefined ? {} : { signal }),
        },
        resolve,
      );
      call.once('error', (error: NodeJS.ErrnoException) => {
        // The server ended a connection that was kept, before it read the request.
        const isStale = call.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        if (isStale) resolve(this.#call(path, options));
        else reject(new ApiError(0, error.message + this.#distrustHint(error)));
      });
      call.end(body);
    });
  }

  async #credentials(): Promise<RequestOptions> {
    const now = performance.now();
    if (this.#options === undefined || this.#options.until < now) {
      const value = await this.#readCredentials();
      // The agent is one of HTTPS, which a proxy on this machine does not speak.
      if (this.#server.protocol === 'http:') delete value.agent;
      else if (value.agent instanceof Agent) value.agent = this.#keptAgent(value.agent);
      this.#options = { value, until: now + credentialMilliseconds };
    }
    return this.#options.value;
  }

  // Files of tokens and authorities are read, and programs asked.
  async #readCredentials(): Promise<RequestOptions> {
    const value: RequestOptions = {};
    try {
      await this.#config.applyToHTTPSOptions(value);
    } catch (error) {
      const said = error instanceof Error ? error.message.trim() : String(error);
      const reason = said === '' ? 'a program that it names has failed' : said;
      throw new ApiError(0, `what ${this.#source} says of who asks cannot be had: ${reason}`);
    }
    return value;
  }

  #refusal(code: number, text: string, path: string): ApiError {
    const message = messageOf(text).trim() || `HTTP ${code}`;
    const hint = this.#refusalHint(code, message, path);
    return new ApiError(code, hint === '' ? message : `${message}: ${hint}`);
  }

  #refusalHint(code: number, message: string, path: string): string {
    if (code === unauthorized) {
      return `the server does not take the token or certificate of ${this.#source}, which may be over or of another cluster`;
    }
    if (message.includes('"system:anonymous"')) {
      return `${this.#source} has no token and no certificate of a user, or they cannot be read`;
    }
    const [, group] = /^\/apis\/([^/]+\/[^/?]+)/.exec(path) ?? [];
    // The server's word for a path that nothing serves; an object that is not there has another.
    if (code !== notFound || message !== '404 page not found' || group === undefined) return '';
    return `nothing serves ${group}; are its definitions in the cluster?`;
  }

  #distrustHint({ code = '' }: NodeJS.ErrnoException): string {
    if (!/SELF_SIGNED|VERIFY_LEAF|ISSUER_CERT/.test(code)) return '';
    return `: the certificate of ${this.#server.host} is not of the authority that ${this.#source} names`;
  }

  // The connections are kept as long as the credentials in them are the same.
  #keptAgent({ options }: Agent): Agent {
    const wanted = new Agent({ ...options, keepAlive: true, timeout: idleMilliseconds });
    const before = this.#agent;
    this.#agent = isDeepStrictEqual(before?.options, wanted.options) ? before : wanted;
    return this.#agent ?? wanted;
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  try {
    return await text(response);
  } catch (error) {
    throw new ApiError(0, String(error));
  }
}

function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { readonly message?: unknown }).message ?? '');
  } catch {
    return text.slice(0, 200);
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of chunks) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter((line) => line !== '');
    }
  } catch (error) {
    throw new ApiError(0, String(error));
  }
}
