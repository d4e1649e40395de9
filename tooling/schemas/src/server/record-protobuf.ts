/**
 * Records what a running kube-apiserver makes of objects in both forms, JSON and protocol buffers:
 *
 *   pnpm --filter @kubeadmit/schemas-tooling record-protobuf ADDRESS TOKEN [OBJECTS]… > cases.ndjson
 *
 * Each object is created with `dryRun=All` and asked for twice; identities and times are made the same.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { kindOfObject } from '@kubeadmit/apimachinery';
import { findResourceOfKind, loadSchemas, type Resource } from '@kubeadmit/schemas';
import { pathOf } from './names.ts';

const own = fileURLToPath(new URL('./typical-objects.ndjson', import.meta.url));

async function main([address, token, ...files]: readonly string[]): Promise<void> {
  if (!address || !token) throw new Error('usage: record-protobuf ADDRESS TOKEN [OBJECTS]…');
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const schemas = await loadSchemas();
  for (const file of files.length === 0 ? [own] : files) {
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const object: unknown = JSON.parse(line);
      const kind = kindOfObject(object);
      const resource = kind && findResourceOfKind(schemas, kind);
      if (!resource) continue;
      const url = `${address}${collectionOf(resource)}?dryRun=All&fieldManager=test`;
      const [json, protobuf] = await Promise.all(
        ['application/json', 'application/vnd.kubernetes.protobuf'].map((accept) =>
          post(url, { line, accept, token }),
        ),
      );
      if (!json || !protobuf) continue;
      process.stdout.write(
        `${JSON.stringify({ json: json.toString(), protobuf: protobuf.toString('base64') })}\n`,
      );
    }
  }
}

function collectionOf({ group, version, namespaced, resource }: Resource): string {
  const root = pathOf(group === '' ? version : `${group}/${version}`);
  return namespaced ? `${root}/namespaces/default/${resource}` : `${root}/${resource}`;
}

async function post(
  url: string,
  request: { readonly line: string; readonly accept: string; readonly token: string },
): Promise<Buffer> {
  const response = await fetch(url, {
    method: 'POST',
    body: request.line,
    headers: {
      authorization: `Bearer ${request.token}`,
      'content-type': 'application/json',
      accept: request.accept,
    },
  });
  return Buffer.from(await response.arrayBuffer());
}

await main(process.argv.slice(2));
