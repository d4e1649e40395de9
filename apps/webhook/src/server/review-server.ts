import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { CertificatePair } from '@kubeadmit/certificates';
import express, { type Request, type Response } from 'express';
import type { Address, Configuration } from '../configuration/configuration.ts';
import type { ReviewStep } from '../review/decide-review.ts';
import { Refusal } from '../review/refusal.ts';
import { Connections } from './connections.ts';
import { listenOn } from './listen-on.ts';
import { type ReviewEndpoint, refuse } from './review-endpoint.ts';

const steps: readonly ReviewStep[] = ['mutate', 'validate'];

// Longer than kube-apiserver keeps an idle connection, so that it never sends on one that is being closed.
const keepAliveMilliseconds = 120_000;
const checkMilliseconds = 1_000;
const mostHeadBytes = 16 * 1024;

/** The HTTPS listener that kube-apiserver calls. */
export class ReviewServer {
  readonly #server: Server;
  readonly #connections: Connections;

  constructor(
    endpoint: ReviewEndpoint,
    { limits }: Pick<Configuration, 'limits'>,
    { pair, clientCa }: { readonly pair: CertificatePair; readonly clientCa: string | undefined },
  ) {
    this.#server = createServer(
      {
        ...secureOptions(pair, clientCa),
        // One limit for everything that a client sends: if either side lacks processor time, a shorter limit for
        // heads would disconnect clients that only wait.
        handshakeTimeout: limits.arrivalSeconds * 1000,
        headersTimeout: limits.arrivalSeconds * 1000,
        requestTimeout: limits.arrivalSeconds * 1000,
        keepAliveTimeout: keepAliveMilliseconds,
        connectionsCheckingInterval: checkMilliseconds,
        maxHeaderSize: mostHeadBytes,
        // An answer must not wait for the client's acknowledgement of earlier data.
        noDelay: true,
      },
      reviewListener(endpoint),
    );
    this.#server.maxRequestsPerSocket = 0;
    this.#connections = new Connections(this.#server);
  }

  /** The number of connections. */
  get connectionCount(): number {
    return this.#connections.count;
  }

  /** Starts listening and returns the port. */
  listen(address: Address): Promise<number> {
    return listenOn(this.#server, address);
  }

  /** Uses another certificate for new connections. */
  useCertificate(pair: CertificatePair, clientCa: string | undefined): void {
    this.#server.setSecureContext(secureOptions(pair, clientCa));
  }

  /** Makes every answer the last one on its connection. New connections are still accepted. */
  drain(): void {
    this.#connections.drain();
  }

  /** Closes the listener, answers the requests that were accepted, and closes all connections. */
  async close(bodyMilliseconds: number): Promise<void> {
    this.#connections.drain();
    await this.#connections.settle();
    this.#server.close();
    await this.#connections.finish(bodyMilliseconds);
  }
}

// Every write to a cluster passes through here: requests of kube-apiserver go directly to its endpoint, all others
// to express.
function reviewListener(endpoint: ReviewEndpoint): RequestListener {
  const app = reviewApp(endpoint);
  return (request: IncomingMessage, response: ServerResponse): void => {
    const step = request.method === 'POST' ? stepOf(request.url ?? '') : undefined;
    if (step === undefined) app(request, response);
    else void endpoint.answer(step, request, response);
  };
}

// Nothing, or one failure policy, and parameters.
const isEnd = /^(?:\/(?:fail|ignore))?(?:\?|$)/;

function stepOf(url: string): ReviewStep | undefined {
  const step = steps.find((each) => url.startsWith(each, 1));
  return step !== undefined && isEnd.test(url.slice(step.length + 1)) ? step : undefined;
}

function reviewApp(endpoint: ReviewEndpoint): express.Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  for (const step of steps) {
    app.post(`/${step}`, (request: Request, response: Response) =>
      endpoint.answer(step, request, response),
    );
    app.all(`/${step}`, (request: Request, response: Response) => {
      response.setHeader('Allow', 'POST');
      refuse(request, response, new Refusal(405, 'send reviews with POST'));
    });
  }
  app.use((request: Request, response: Response) => {
    refuse(request, response, new Refusal(404, 'unknown path; expected `/mutate` or `/validate`'));
  });
  return app;
}

function secureOptions(
  { certificate, key }: CertificatePair,
  clientCa: string | undefined,
): object {
  return {
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    ...(clientCa === undefined
      ? {}
      : {
          ca: clientCa,
          requestCert: true,
          rejectUnauthorized: true,
          allowPartialTrustChain: true,
        }),
  };
}
