import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import { ApiError } from './api-error.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { Identity, type Sending } from './identity.ts';

/** A part of a collection. */
export interface Page {
  readonly items: readonly KubernetesObject[];
  /** That of the collection. */
  readonly resourceVersion: string;
}

/** The options of a request. */
export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: string;
  readonly contentType?: string;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

const notFound = 404;
const unauthorized = 401;
const answerMilliseconds = 30_000;

/**
 * A client of an API server, with the credentials of a kubeconfig or a service account. Returns texts as they are sent,
 * since parameters may contain numbers that JSON.parse would change.
 */
export class ApiClient {
  readonly #identity: Identity;

  private constructor(identity: Identity) {
    this.#identity = identity;
  }

  /**
   * Reads where the cluster is.
   *
   * @throws ApiError when the kubeconfig or the environment of the pod cannot be used.
   */
  static async open(access: ClusterAccess): Promise<ApiClient> {
    return new ApiClient(new Identity(access));
  }

  /**
   * Returns the text of an answer.
   *
   * @throws ApiError if the server cannot be reached or reports an error
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
   * Returns an object, with numbers as in CEL, or `undefined` if it does not exist.
   *
   * @throws ApiError if the server cannot be reached or reports another error
   */
  async find(
    path: string,
    options: Pick<CallOptions, 'signal'> = {},
  ): Promise<KubernetesObject | undefined> {
    const text = await this.#askOfObject(path, options);
    return text === undefined ? undefined : (parseJson(text) as KubernetesObject);
  }

  /**
   * Deletes an object if it exists.
   *
   * @throws ApiError if the server cannot be reached or reports another error
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
   * Returns the lines of an answer as they arrive.
   *
   * @throws ApiError if the server cannot be reached or reports an error
   */
  async lines(path: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const response = await this.#call(path, { signal });
    const code = response.statusCode ?? 0;
    if (code !== 200) throw this.#refusal(code, await textOf(response), path);
    response.setEncoding('utf8');
    return linesOf(response as AsyncIterable<string>);
  }

  // If the server refuses the credentials, they are read again and the request is repeated once.
  async #call(path: string, options: CallOptions): Promise<IncomingMessage> {
    const sending = await this.#identity.sending();
    const response = await this.#send(sending, path, options);
    if (response.statusCode !== unauthorized) return response;
    if (!(await this.#identity.renew(sending))) return response;
    response.resume();
    return this.#send(await this.#identity.sending(), path, options);
  }

  #send(sending: Sending, path: string, options: CallOptions): Promise<IncomingMessage> {
    const { server, headers, agent } = sending;
    const { method = 'GET', body, contentType = 'application/json', signal } = options;
    // A URL would resolve the segment `..`, which may be the name of an object or a namespace.
    const target = server.pathname.replace(/\/$/, '') + path;
    const send = server.protocol === 'http:' ? plainRequest : secureRequest;
    return new Promise((resolve, reject) => {
      const call = send(
        server,
        {
          path: target,
          ...(agent === undefined ? {} : { agent }),
          method,
          headers: {
            ...headers,
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
        // The server closed a connection that was kept before it read the request.
        const isStale = call.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        if (isStale) resolve(this.#send(sending, path, options));
        else reject(new ApiError(0, error.message + this.#distrustHint(server, error)));
      });
      call.end(body);
    });
  }

  #refusal(code: number, text: string, path: string): ApiError {
    const message = messageOf(text).trim() || `HTTP ${code}`;
    const hint = this.#refusalHint(code, message, path);
    return new ApiError(code, hint === '' ? message : `${message}: ${hint}`);
  }

  #refusalHint(code: number, message: string, path: string): string {
    const { source } = this.#identity;
    if (code === unauthorized) {
      return `the server rejects the token or certificate of ${source}; it may have expired or belong to another cluster`;
    }
    if (message.includes('"system:anonymous"')) {
      return `${source} has no readable token or client certificate`;
    }
    const [, group] = /^\/apis\/([^/]+\/[^/?]+)/.exec(path) ?? [];
    // The server's word for a path that nothing serves; an object that is not there has another.
    if (code !== notFound || message !== '404 page not found' || group === undefined) return '';
    return `the cluster does not serve ${group}; install its CustomResourceDefinitions`;
  }

  #distrustHint({ host }: URL, { code = '' }: NodeJS.ErrnoException): string {
    const { source } = this.#identity;
    if (!/SELF_SIGNED|VERIFY_LEAF|ISSUER_CERT/.test(code)) return '';
    return `: the certificate of ${host} is not signed by the authority that ${source} names`;
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
