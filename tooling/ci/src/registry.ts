import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '@kubeadmit/test-support';

/** A registry of packages in memory. */
export interface Registry {
  readonly url: string;
  /** The names and versions that were published, in their order. */
  readonly published: readonly string[];
  close(): void;
}

interface Document {
  readonly name: string;
  readonly versions: Record<string, { dist: { tarball: string } }>;
  readonly _attachments?: Record<string, { readonly data: string }>;
  readonly [key: string]: unknown;
}

/** A registry that serves the packages published to it, and redirects requests for other packages. */
export async function startRegistry(other: string): Promise<Registry> {
  const documents = new Map<string, Document>();
  const tarballs = new Map<string, Buffer>();
  const published: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      response.writeHead(500).end(String(failure));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent((request.url ?? '/').replace(/\?.*$/, '')).slice(1);
    if (request.method === 'PUT') {
      publish(JSON.parse((await bodyOf(request)).toString('utf8')) as Document);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"ok":true}');
      return;
    }
    const tarball = tarballs.get(path);
    if (tarball !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball);
      return;
    }
    const document = documents.get(path);
    if (document !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      return;
    }
    if (path === 'kubeadmit' || path.startsWith('@kubeadmit/')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
      return;
    }
    response.writeHead(307, { location: new URL(request.url?.slice(1) ?? '', other).href }).end();
  }

  function publish(document: Document): void {
    for (const [name, { data }] of Object.entries(document._attachments ?? {})) {
      const bytes = Buffer.from(data, 'base64');
      for (const [version, manifest] of Object.entries(document.versions)) {
        const path = `${document.name}/-/${name.replace(/^.*\//, '')}`;
        const shasum = createHash('sha1').update(bytes).digest('hex');
        manifest.dist = { ...manifest.dist, tarball: `${url}${path}`, ...{ shasum } };
        tarballs.set(path, bytes);
        published.push(`${document.name}@${version}`);
      }
    }
    const { _attachments: _, ...rest } = document;
    documents.set(document.name, rest as Document);
  }

  const url = `http://127.0.0.1:${await listen(server)}/`;
  return { url, published, close: () => server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
