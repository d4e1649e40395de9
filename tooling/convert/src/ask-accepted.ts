import { readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { type JsonAnswer, KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { loadSchemas } from '@kubeadmit/schemas';
import { convertCollection, plainNumbers } from './collection.ts';

// Asks a real kube-apiserver to create every object that a collection becomes, as a dry run in which unknown fields
// are errors (`?dryRun=All&fieldValidation=Strict`), and prints those that it refuses or warns about:
//   tsx ask-accepted.ts FOLDER KUBECONFIG [VERSION]
// VERSION is that of the server, for which the results are made; without it the newest.

const [folder = '.', kubeconfig = '', version] = process.argv.slice(2);
const text = readFileSync(kubeconfig, 'utf8');
const server = /server: "?([^"\s,}]+)/.exec(text)?.[1] ?? '';
const token = /name: admin, user: \{token: ([^}]+)\}/.exec(text)?.[1] ?? '';
const client = new KubeClient(server, token);
const counts = new Map<string, number>();
let refused = 0;
let warned = 0;
const schemas = await loadSchemas(version === undefined ? {} : { version });
for (const { file, conversion } of await convertCollection(folder, schemas)) {
  for (const object of conversion.objects) {
    const kind = String(object['kind']);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const { code, body, warnings } = await create(object);
    if (code !== 201) refused++;
    if (warnings.length > 0) warned++;
    if (code !== 201 || warnings.length > 0) {
      const said = warnings.length > 0 ? warnings.join() : String(body['message'] ?? '');
      console.log(`${file.slice(folder.length + 1)} ${kind}: ${code} ${said}`);
    }
  }
}
const told = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
console.log(`${told}: ${refused} refused, ${warned} with a warning`);
client.close();

function create(object: JsonObject): Promise<JsonAnswer> {
  const plural = `${String(object['kind']).toLowerCase()}s`.replace(/ys$/, 'ies');
  const path = `/apis/${String(object['apiVersion'])}/${plural}`;
  const body: unknown = JSON.parse(JSON.stringify(object, plainNumbers));
  return client.ask('POST', `${path}?dryRun=All&fieldValidation=Strict`, body);
}
