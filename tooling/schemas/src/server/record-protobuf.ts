/**
 * Records a running kube-apiserver's answers for objects in both forms, JSON and protocol buffers:
 *   pnpm --filter @kubeadmit/schemas-tooling record-protobuf ADDRESS TOKEN [OBJECTS]… > cases.ndjson
 * Each object is created with `dryRun=All` and requested twice; identities and times are replaced by placeholders.
 */

import { fileURLToPath } from 'node:url';
import { kindOfObject } from '@kubeadmit/apimachinery';
import { KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { findResourceOfKind, loadSchemas } from '@kubeadmit/schemas';
import { readLines } from '@kubeadmit/test-support';
import { collectionOf } from './names.ts';

const own = fileURLToPath(new URL('./typical-objects.ndjson', import.meta.url));

async function main([address, token, ...files]: readonly string[]): Promise<void> {
  if (!address || !token) throw new Error('usage: record-protobuf ADDRESS TOKEN [OBJECTS]…');
  const client = new KubeClient(address, token);
  const schemas = await loadSchemas();
  for (const file of files.length === 0 ? [own] : files) {
    for (const body of readLines<string>(file, String)) {
      const kind = kindOfObject(JSON.parse(body));
      const resource = kind && findResourceOfKind(schemas, kind);
      if (!resource) continue;
      const path = `${collectionOf(resource)}?dryRun=All&fieldManager=test`;
      const [json, protobuf] = await Promise.all(
        ['application/json', 'application/vnd.kubernetes.protobuf'].map((accept) => {
          const authorization = `Bearer ${token}`;
          const headers = { authorization, 'content-type': 'application/json', accept };
          return client.send({ method: 'POST', path, headers, body });
        }),
      );
      if (!json || !protobuf) continue;
      const recorded = { json: String(json.bytes), protobuf: protobuf.bytes.toString('base64') };
      process.stdout.write(`${JSON.stringify(recorded)}\n`);
    }
  }
  client.close();
}

await main(process.argv.slice(2));
