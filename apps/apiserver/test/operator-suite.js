// The tests of an operator in short, as envtest runs them: they find the server by their environment, install a
// definition, and create, read and watch objects.
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';

assert.equal(process.env.USE_EXISTING_CLUSTER, 'true');
const kubeconfig = readFileSync(process.env.KUBECONFIG ?? '', 'utf8');
const server = field('server');
const identity = {
  ca: Buffer.from(field('certificate-authority-data'), 'base64'),
  cert: Buffer.from(field('client-certificate-data'), 'base64'),
  key: Buffer.from(field('client-key-data'), 'base64'),
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema() } }],
  },
};
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

assert.equal((await send('POST', definitions, definition)).code, 201);
while ((await send('GET', widgets)).code !== 200) await setTimeout(20);
console.log('created', (await send('POST', widgets, widget('one', 1))).code);
const settings = await send('GET', '/api/v1/namespaces/default/configmaps/settings');
console.log('read', settings.code, settings.body.metadata.name);
console.log('rejected', (await send('POST', widgets, widget('two', 0))).code);
console.log('watched', (await firstEvent(`${widgets}?watch=1`)).type);

function field(name) {
  return new RegExp(`${name}: (\\S+)`).exec(kubeconfig)?.[1] ?? '';
}

function schema() {
  const size = { type: 'integer', minimum: 1 };
  return { type: 'object', properties: { spec: { type: 'object', properties: { size } } } };
}

function widget(name, size) {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: { size } };
}

async function send(method, path, body) {
  const answer = await respond(method, path, body);
  let text = '';
  for await (const part of answer) text += part;
  return { code: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text };
}

async function firstEvent(path) {
  const answer = await respond('GET', path);
  let text = '';
  for await (const part of answer) {
    text += part;
    if (text.includes('\n')) break;
  }
  return JSON.parse(text.split('\n')[0]);
}

function respond(method, path, body) {
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    https
      .request(server + path, { method, headers, ...identity }, resolve)
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
