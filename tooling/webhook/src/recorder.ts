import { readFileSync } from 'node:fs';
import { Agent, createServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { listen, sendRequest } from '@kubeadmit/test-support';
import type { JsonObject } from './server/json.ts';

/** A review and its answer, as they went between kube-apiserver and the webhook. */
export interface RecordedReview {
  readonly path: string;
  readonly review: JsonObject;
  readonly answer: JsonObject;
}

/** A proxy between kube-apiserver and the webhook that records their messages. */
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
    const path = incoming.url ?? '';
    const pass = async (): Promise<void> => {
      const review = await buffer(incoming);
      const headers = { 'content-type': 'application/json', 'content-length': review.length };
      const url = `https://127.0.0.1:${webhookPort}${path}`;
      const { code, body } = await sendRequest(url, { agent, method: 'POST', headers }, review);
      reviews.push({ path, review: parsed(review), answer: parsed(body) });
      outgoing.writeHead(code, { 'content-type': 'application/json' }).end(body);
    };
    pass().catch(() => outgoing.destroy());
  });
  const port = await listen(server);
  return {
    port,
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
