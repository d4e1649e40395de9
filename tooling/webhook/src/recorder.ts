import { readFileSync } from 'node:fs';
import { Agent, createServer, request, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from './json.ts';

/** A review and its answer, as they went between kube-apiserver and the webhook. */
export interface RecordedReview {
  readonly path: string;
  readonly review: JsonObject;
  readonly answer: JsonObject;
}

/** Stands between kube-apiserver and the webhook and keeps what they say. */
export interface Recorder {
  readonly port: number;
  readonly reviews: readonly RecordedReview[];
  close(): void;
}

/** Starts a recorder with the certificate of the webhook itself, which lies in a folder. */
export async function startRecorder(folder: string, webhookPort: number): Promise<Recorder> {
  const options: ServerOptions = {
    cert: readFileSync(join(folder, 'tls.crt')),
    key: readFileSync(join(folder, 'tls.key')),
  };
  const agent = new Agent({ ca: readFileSync(join(folder, 'ca.crt')), keepAlive: true });
  const reviews: RecordedReview[] = [];
  const server = createServer(options, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const path = incoming.url ?? '';
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const call = request(
        { agent, host: '127.0.0.1', port: webhookPort, path, method: 'POST', headers },
        (response) => {
          const answered: Buffer[] = [];
          response.on('data', (chunk: Buffer) => answered.push(chunk));
          response.on('end', () => {
            const answer = Buffer.concat(answered);
            reviews.push({ path, review: parsed(body), answer: parsed(answer) });
            outgoing.writeHead(response.statusCode ?? 500, { 'content-type': 'application/json' });
            outgoing.end(answer);
          });
        },
      );
      call.on('error', () => outgoing.destroy());
      call.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    reviews,
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function parsed(bytes: Buffer): JsonObject {
  return JSON.parse(bytes.toString('utf8')) as JsonObject;
}
