import { createServer, type Server } from 'node:http';
import express, { type Request, type Response } from 'express';
import { type Check, isFailed } from '../cluster/readiness.ts';
import type { Address } from '../configuration/configuration.ts';
import { listenOn } from './listen-on.ts';

/** The state that the operation listener serves. */
export interface Operated {
  /** Returns the checks that must pass for the webhook to receive requests. */
  readiness(): readonly Check[];
  /** The metrics in Prometheus' text format. */
  metrics(): Promise<string>;
}

/** The plain HTTP listener for probes and metrics. */
export class OperationServer {
  readonly #server: Server;

  constructor(operated: Operated) {
    this.#server = createServer(operationApp(operated));
  }

  /** Starts listening and returns the port. */
  listen(address: Address): Promise<number> {
    return listenOn(this.#server, address);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function operationApp(operated: Operated): express.Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.get(['/healthz', '/livez'], (request: Request, response: Response) => {
    tell(request, response, []);
  });
  app.get('/readyz', (request: Request, response: Response) => {
    tell(request, response, operated.readiness());
  });
  app.get('/metrics', async (_request: Request, response: Response) => {
    const text = await operated.metrics();
    response.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
  return app;
}

// The form of kube-apiserver's own health endpoints.
function tell(request: Request, response: Response, checks: readonly Check[]): void {
  const hasFailed = checks.some(isFailed);
  const isVerbose = 'verbose' in request.query || hasFailed;
  const name = request.path.slice(1);
  response.status(hasFailed ? 503 : 200).type('text/plain; charset=utf-8');
  if (!isVerbose) {
    response.send('ok');
    return;
  }
  const lines = checks.map(({ name: each, problem, isTolerated }) => {
    if (problem === '') return `[+]${each} ok`;
    return `[${isTolerated === true ? '!' : '-'}]${each} ${isTolerated === true ? 'degraded' : 'failed'}: ${problem}`;
  });
  response.send(`${lines.join('\n')}\n${name} check ${hasFailed ? 'failed' : 'passed'}\n`);
}
