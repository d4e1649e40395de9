import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from './servers.ts';

/** Changes an answer of a registry; `true` if it answered itself. */
export type Intercept = (
  request: IncomingMessage,
  response: ServerResponse,
  host: string,
) => boolean;

/** A registry on this machine. */
export interface ImageRegistry {
  /** Its host and port, which the names of its images begin with. */
  readonly host: string;
  /** The paths that were requested. */
  readonly requests: readonly string[];
  close(): void;
}

/** Serves a layout through the OCI distribution API by HTTP; it has no API for referrers. */
export async function serveImages(
  folder: string,
  intercept: Intercept = () => false,
): Promise<ImageRegistry> {
  let host = '';
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    requests.push(url);
    if (intercept(request, response, host)) return;
    const [, name = '', part, reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs|referrers)\/([^/?]+)$/.exec(url) ?? [];
    const { manifests } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    const entry = manifests.find(
      (each: { digest: string; annotations: Record<string, string> }) =>
        each.digest === reference ||
        each.annotations['org.opencontainers.image.ref.name'] === `${host}/${name}:${reference}`,
    );
    const digest = part === 'blobs' ? reference : entry?.digest;
    if (part === 'referrers' || digest === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': entry?.mediaType ?? 'application/octet-stream' });
    response.end(readFileSync(join(folder, 'blobs', 'sha256', digest.slice('sha256:'.length))));
  });
  const port = await listen(server);
  host = `localhost:${port}`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { host, requests, close };
}
