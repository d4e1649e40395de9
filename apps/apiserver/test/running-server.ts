import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunningApiServer, type ServerOptions, startApiServer } from '../src/index.ts';

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
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

/** A folder that is gone after the test. */
export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubeadmit-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Sends a request over HTTP/1.1. */
export function send(
  server: Pick<RunningApiServer, 'certificateAuthority' | 'url'>,
  wanted: WireRequest,
): Promise<WireAnswer> {
  const { method = 'GET', path, headers = {}, body, cert, key } = wanted;
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      new URL(path, server.url),
      {
        method,
        headers,
        ca: server.certificateAuthority,
        agent: false,
        servername: 'localhost',
        ...(cert && key ? { cert, key } : {}),
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const code = response.statusCode ?? 0;
          resolve({ code, headers: response.headers, body: Buffer.concat(parts) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
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
export function administrator({ kubeconfig }: RunningApiServer): {
  readonly cert: string;
  readonly key: string;
} {
  const text = (name: string): string => {
    const value = new RegExp(`${name}: (\\S+)`).exec(kubeconfig)?.[1] ?? '';
    return Buffer.from(value, 'base64').toString();
  };
  return { cert: text('client-certificate-data'), key: text('client-key-data') };
}
