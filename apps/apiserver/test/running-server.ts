import type { Agent } from 'node:https';
import { type Answer, sendRequest } from '@kubeadmit/test-support';
import { onTestFinished } from 'vitest';
import { type RunningApiServer, type ServerOptions, startApiServer } from '../src/index.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Certificate and key of the client. */
  readonly cert?: string;
  readonly key?: string;
}

/** Starts a server that ends with the test. */
export async function startForTest(options: ServerOptions = {}): Promise<RunningApiServer> {
  const server = await startApiServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Sends a request over HTTP/1.1, by default on a new connection. */
export function send(
  server: Pick<RunningApiServer, 'certificateAuthority' | 'url'>,
  wanted: WireRequest,
  agent: Agent | false = false,
): Promise<Answer> {
  const { path, cert, key, body, ...rest } = wanted;
  const client = cert && key ? { cert, key } : {};
  const options = { ca: server.certificateAuthority, agent, servername: 'localhost' };
  return sendRequest(new URL(path, server.url), { ...options, ...rest, ...client }, body);
}

/** Sends a request as the administrator of the kubeconfig, and reads the JSON of the answer. */
export async function ask(
  server: RunningApiServer,
  wanted: Omit<WireRequest, 'body'> & { readonly object?: object },
): Promise<{ readonly code: number; readonly object: { readonly [key: string]: unknown } }> {
  const { object, headers, ...rest } = wanted;
  const answer = await send(server, {
    ...administrator(server),
    ...rest,
    headers: { 'content-type': 'application/json', ...headers },
    ...(object ? { body: JSON.stringify(object) } : {}),
  });
  return { code: answer.code, object: JSON.parse(answer.body.toString()) };
}

/** The certificate and the key of a kubeconfig. */
export function administrator({ kubeconfig }: Pick<RunningApiServer, 'kubeconfig'>): {
  readonly cert: string;
  readonly key: string;
} {
  const text = (name: string): string => {
    const value = new RegExp(`${name}: (\\S+)`).exec(kubeconfig)?.[1] ?? '';
    return Buffer.from(value, 'base64').toString();
  };
  return { cert: text('client-certificate-data'), key: text('client-key-data') };
}
