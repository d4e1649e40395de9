import { randomUUID } from 'node:crypto';
import {
  type ApiRequest,
  type ApiResponse,
  type ApiServer,
  type EncodeOptions,
  isWatch,
  type RequestBody,
} from '@kubeadmit/apiserver';
import type { UserInfo } from '@kubeadmit/engine';
import {
  authenticate,
  bearerToken,
  type TokenAuthentication,
} from '../authentication/authenticator.ts';
import { clientCertificateOf } from '../authentication/client-certificate.ts';
import type { AuditLog } from '../operation/audit-log.ts';
import { type HealthChecks, healthAnswer, publicHealthPaths } from '../operation/health.ts';
import type { Metrics } from '../operation/metrics.ts';
import { statusAnswer, textAnswer } from '../operation/status-answer.ts';
import {
  authorityOf,
  decodeHeader,
  type HttpRequest,
  type HttpResponse,
  headersOf,
  socketOf,
} from './exchange.ts';
import { foreignRequestProblem } from './foreign-request.ts';
import { InFlight, type Turn } from './in-flight.ts';
import { hasBody, readBody } from './read-body.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * The time for a request other than a watch, until its answer was read, as in kube-apiserver (`--request-timeout`). A
 * client that does not read would otherwise take up its place for ever.
 */
const mostMilliseconds = 60_000;

/** Longer bodies, in bytes, are answered one after the other for each user. */
const largeBody = 64 * 1024;

/** The server that answers requests, and the parts that record them. */
export interface RequestHandlerOptions {
  readonly server: ApiServer;
  readonly encoding: EncodeOptions;
  readonly authentication: TokenAuthentication;
  readonly health: HealthChecks;
  readonly metrics: Metrics;
  readonly audit?: AuditLog | undefined;
  readonly isOwnName: (name: string) => boolean;
  /** Receives unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** Handles HTTP requests: authenticates them, answers them, and records metrics and audit events. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #inFlight: InFlight = new InFlight();

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  /** Answers a request; never rejects. */
  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const received = Date.now();
    response.on('error', () => response.destroy());
    const [path = '/', search = ''] = splitOnce(request.url ?? '/', '?');
    const query = new URLSearchParams(search);
    const isLong = isWatch(request.method ?? '', path, query);
    const end = isLong ? undefined : this.#options.metrics.begin(request.method !== 'GET');
    const turn = isLong ? undefined : this.#inFlight.begin();
    const tooSlow = isLong ? undefined : setTimeout(() => response.destroy(), mostMilliseconds);
    try {
      const answer = await this.#answer(request, response, { path, query, turn });
      await writeAnswer({ request, response }, answer, this.#options.encoding);
      this.#writeDown(request, answer, received);
    } catch (error) {
      if (!response.destroyed && !response.writableEnded) response.destroy();
      if (!isGone(error)) this.#options.onError(error);
    } finally {
      clearTimeout(tooSlow);
      turn?.end();
      end?.();
    }
  }

  async #answer(
    request: HttpRequest,
    response: HttpResponse,
    target: {
      readonly path: string;
      readonly query: URLSearchParams;
      /** Absent for watches. */
      readonly turn: Turn | undefined;
    },
  ): Promise<ApiResponse> {
    const { path, query, turn } = target;
    const { authentication, health, isOwnName, server } = this.#options;
    if (!isDecodable(path)) return badPath;
    const isPublic = request.method === 'GET' && publicHealthPaths.has(path);
    const healthy = isPublic && (await healthAnswer(path, query, health));
    if (healthy) return healthy;
    const { authorization = '', origin } = request.headers;
    const problem = foreignRequestProblem({ host: authorityOf(request), origin }, isOwnName);
    if (problem !== undefined) return statusAnswer(403, 'Forbidden', problem);
    const credentials = {
      token: bearerToken(authorization),
      certificate: clientCertificateOf(socketOf(request), Date.now()),
    };
    const user = await authenticate(credentials, authentication);
    if (!user) return unauthorized();
    if (turn?.take(user) === false) return tooManyRequests;
    const read = async (): Promise<RequestBody> => {
      const body = await readBody(request);
      if ('bytes' in body && body.bytes.length > largeBody) await turn?.waitForOwn();
      if (response.destroyed) throw new Error('aborted: the client did not wait');
      return body;
    };
    const answer = await server.handle(apiRequest(request, response, { path, query, user, read }));
    return tokenAfterSpaces.test(authorization) ? withWarning(answer, ignoredToken) : answer;
  }

  #writeDown(request: HttpRequest, answer: ApiResponse, receivedAt: number): void {
    const { audit } = answer;
    if (!audit) return;
    const answeredAt = Date.now();
    this.#options.metrics.answered({
      verb: audit.verb,
      code: answer.status,
      seconds: (answeredAt - receivedAt) / 1000,
      // Each other value of a label would take memory until the end of the process.
      objectRef: audit.isServed ? audit.objectRef : undefined,
    });
    this.#options.audit?.write(audit, {
      requestUri: request.url ?? '',
      sourceAddress: socketOf(request).remoteAddress ?? '',
      userAgent: decodeHeader(request.headers['user-agent'] ?? ''),
      receivedAt,
      answeredAt,
      code: answer.status,
    });
  }
}

function apiRequest(
  request: HttpRequest,
  response: HttpResponse,
  {
    read,
    ...target
  }: {
    readonly path: string;
    readonly query: URLSearchParams;
    readonly user: UserInfo;
    readonly read: () => Promise<RequestBody>;
  },
): ApiRequest {
  let gone: AbortController | undefined;
  return {
    method: request.method ?? 'GET',
    ...target,
    headers: headersOf(request),
    // Created on first use: most requests are answered without checking whether the client is still connected.
    get signal() {
      if (gone !== undefined) return gone.signal;
      const made = new AbortController();
      gone = made;
      if (response.destroyed) made.abort();
      else response.on('close', () => made.abort());
      return made.signal;
    },
    ...(hasBody(request) ? { readBody: read } : {}),
  };
}

/** The answer to a path with an invalid escape, sent before authentication as by Go's `net/http`. */
const badPath = textAnswer(400, '400 Bad Request');

function isDecodable(path: string): boolean {
  return !/%(?![\da-f]{2})/i.test(path);
}

/** A token that is ignored, and the warning about it (request/bearertoken). */
const tokenAfterSpaces = /^bearer {2}/i;
const ignoredToken =
  '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"';

function withWarning(answer: ApiResponse, warning: string): ApiResponse {
  const others = answer.headers['warning'] ?? [];
  return { ...answer, headers: { ...answer.headers, warning: [warning, ...others] } };
}

function unauthorized(): ApiResponse {
  const answer = statusAnswer(401, 'Unauthorized', 'Unauthorized');
  return { ...answer, headers: { ...answer.headers, 'audit-id': randomUUID() } };
}

const tooManyRequests: ApiResponse = {
  status: 429,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' },
  body: { type: 'text', text: 'Too many requests, please try again later.\n' },
};

/** Whether an error only means that the client has disconnected. */
function isGone(error: unknown): boolean {
  const { code = '', message = '' } = error as {
    readonly code?: string;
    readonly message?: string;
  };
  return (
    /^ECONNRESET|^EPIPE|ABORT|^ERR_HTTP2|^ERR_STREAM/.test(code) ||
    /gone away|aborted/.test(message)
  );
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
