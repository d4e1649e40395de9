import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiResponse,
  createApiServer,
  encodeBody,
  encodeEvent,
  MemoryStore,
} from '@kubeadmit/apiserver';
import { loadSchemas } from '@kubeadmit/schemas';

// An API server in memory over plain HTTP on 127.0.0.1, for trying kubectl: everyone is an administrator.

const port = Number(process.argv[2] ?? 18080);
const schemas = await loadSchemas();
const server = createApiServer({
  store: new MemoryStore(),
  schemas,
  clock: {
    now: () => Date.now(),
    sleep: (milliseconds, signal) =>
      sleep(milliseconds, undefined, { ...(signal ? { signal } : {}), ref: false }).catch(() => {}),
  },
  randomUid: () => crypto.randomUUID(),
  address: `127.0.0.1:${port}`,
});

createServer((request, response) => {
  void answer(request, response);
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const answered = await server.handle({
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers as Record<string, string>,
    readBody: async () => ({ bytes }),
    user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    signal: abort.signal,
  });
  await send(answered, response);
}

async function send(answered: ApiResponse, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, answered.headers as Record<string, string | string[]>);
  const { body } = answered;
  if (body.type !== 'events') {
    response.end(encodeBody(body, { schemas }));
    return;
  }
  response.flushHeaders();
  for await (const event of body.events) {
    response.write(encodeEvent(event, { schemas, mediaType: body.mediaType }));
  }
  response.end();
}
