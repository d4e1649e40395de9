import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '@kubeadmit/test-support';

type ApiObject = Readonly<Record<string, unknown>> & {
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

/** A small API server of one collection, whose mistakes a test decides. */
export interface FakeApiServer {
  readonly port: number;
  /** The requests that were made, as `METHOD PATH?QUERY`. */
  readonly requests: readonly string[];
  put(object: ApiObject): void;
  remove(name: string): void;
  /** Ends all watches as if the connection was cut. */
  cut(): void;
  /** Forgets all earlier changes, so that watches from there get 410. */
  forget(): void;
  /** Answers every request with a code until it is 200 again. */
  fail(code: number): void;
  stop(): void;
}

/** Starts an API server with a collection at a path. */
export async function startApiServer(path: string): Promise<FakeApiServer> {
  const objects = new Map<string, ApiObject>();
  const watches = new Set<ServerResponse>();
  const requests: string[] = [];
  const state = { version: 10, oldest: 0, code: 200 };
  const versioned = (object: ApiObject): object => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(state.version) },
  });
  const events: { readonly version: number; readonly line: string }[] = [];
  const tell = (type: string, object: ApiObject): void => {
    state.version++;
    const line = `${JSON.stringify({ type, object: versioned(object) })}\n`;
    events.push({ version: state.version, line });
    for (const watch of watches) watch.write(line);
  };
  const list = (response: ServerResponse, query: URLSearchParams): void => {
    // Pages of two, so that there are several.
    const from = Number(query.get('continue') ?? 0);
    const all = [...objects.values()];
    const next = from + 2 < all.length ? String(from + 2) : '';
    const metadata = { resourceVersion: String(state.version), continue: next };
    response.end(JSON.stringify({ metadata, items: all.slice(from, from + 2) }));
  };
  const watch = (response: ServerResponse, query: URLSearchParams): void => {
    const from = Number(query.get('resourceVersion'));
    if (from < state.oldest) {
      const object = { kind: 'Status', code: 410, message: 'too old resource version' };
      response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
      return;
    }
    response.flushHeaders();
    for (const { version, line } of events) if (version > from) response.write(line);
    watches.add(response);
    response.once('close', () => watches.delete(response));
  };
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    requests.push(`${request.method} ${request.url}`);
    if (state.code !== 200 || url.pathname !== path) {
      response.writeHead(state.code === 200 ? 404 : state.code);
      response.end('{}');
    } else if (url.searchParams.get('watch') === 'true') watch(response, url.searchParams);
    else list(response, url.searchParams);
  });
  const port = await listen(server);
  return {
    port,
    requests,
    put(object) {
      const type = objects.has(object.metadata.name) ? 'MODIFIED' : 'ADDED';
      objects.set(object.metadata.name, object);
      tell(type, object);
    },
    remove(name) {
      const object = objects.get(name);
      objects.delete(name);
      if (object !== undefined) tell('DELETED', object);
    },
    cut() {
      for (const each of watches) each.destroy();
    },
    forget() {
      state.version += 10;
      state.oldest = state.version;
    },
    fail(code) {
      state.code = code;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
