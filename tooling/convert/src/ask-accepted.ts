import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
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
const counts = new Map<string, number>();
let refused = 0;
let warned = 0;
const schemas = await loadSchemas(version === undefined ? {} : { version });
for (const { file, conversion } of await convertCollection(folder, schemas)) {
  for (const object of conversion.objects) {
    const kind = String(object['kind']);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const { status, message, warning } = await create(object);
    if (status !== 201) refused++;
    if (warning !== undefined) warned++;
    if (status !== 201 || warning !== undefined) {
      console.log(`${file.slice(folder.length + 1)} ${kind}: ${status} ${warning ?? message}`);
    }
  }
}
const told = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
console.log(`${told}: ${refused} refused, ${warned} with a warning`);

interface Answer {
  readonly status: number | undefined;
  readonly message: string;
  readonly warning: string | undefined;
}

function create(object: JsonObject): Promise<Answer> {
  const plural = `${String(object['kind']).toLowerCase()}s`.replace(/ys$/, 'ies');
  const url = `${server}/apis/${String(object['apiVersion'])}/${plural}?dryRun=All&fieldValidation=Strict`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: 'POST', headers, rejectUnauthorized: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body: unknown = JSON.parse(Buffer.concat(parts).toString());
          const message = isObject(body) ? String(body['message'] ?? '') : '';
          const { statusCode: status, headers: received } = response;
          const warning = received['warning'];
          resolve({ status, message, warning: Array.isArray(warning) ? warning.join() : warning });
        });
      },
    );
    asked.on('error', reject);
    asked.end(JSON.stringify(object, plainNumbers));
  });
}
