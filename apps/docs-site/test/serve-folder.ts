import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { listen } from '@kubeadmit/test-support';

const compress = promisify(gzip);

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

interface ServedFile {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** A folder that is served. */
export interface Served {
  /** With a slash at its end. */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves the files of a folder on this machine as hosts of static sites do: compressed once, and kept so. */
export async function serveFolder(folder: string): Promise<Served> {
  const known = new Map<string, Promise<ServedFile>>();
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const name = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    let found = known.get(name);
    if (found === undefined) {
      found = read(folder, name);
      known.set(name, found);
    }
    void found.then(({ status, type, body }) => {
      const lives = name.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
      response.writeHead(status, {
        'content-type': type,
        'content-encoding': 'gzip',
        'content-length': body.byteLength,
        'cache-control': lives,
      });
      response.end(body);
    });
  });
  const port = await listen(server);
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A file, or the page for a missing one. */
async function read(folder: string, name: string): Promise<ServedFile> {
  for (const [status, path] of [
    [200, name],
    [200, `${name}.html`],
    [404, '/404.html'],
  ] as const) {
    const text = await readFile(join(folder, path)).catch(() => undefined);
    const type = types[extname(path)] ?? 'application/octet-stream';
    if (text !== undefined) return { status, type, body: await compress(text) };
  }
  return { status: 404, type: 'text/plain', body: await compress('not found') };
}
