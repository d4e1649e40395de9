// Helpers of the benchmarks: a webhook in a separate process, and reviews of pods.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pod } from './policies.js';

/** The AdmissionReview of the creation of a pod, which `change` may change. */
export function review(index, change = () => undefined) {
  const object = pod(`web-${index}`);
  change(object);
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  const resource = { group: '', version: 'v1', resource: 'pods' };
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      ...{ kind, resource, requestKind: kind, requestResource: resource },
      ...{ name: object.metadata.name, namespace: 'shop', operation: 'CREATE' },
      userInfo: { username: 'system:serviceaccount:kube-system:replicaset-controller' },
      ...{ object, oldObject: null, dryRun: false },
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  };
}

/** Starts the webhook with a file or folder of policies; `tls` is the folder of its certificate. */
export function startWebhook(name, { policies, tls, workers = 1 }) {
  const options = ['--self-signed', tls, '--log-allows', '0', '--shutdown-delay', '0'];
  const listen = ['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0'];
  const several = ['--workers', String(workers)];
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  // The flag that the container has, too.
  return start(name, [
    '--max-semi-space-size=16',
    main,
    '--policies',
    policies,
    ...options,
    ...listen,
    ...several,
  ]);
}

/** Starts a program that logs its ports when it listens. */
export function start(name, args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { message, reviews, operation } = JSON.parse(line);
      if (message === 'listening') resolve({ name, child, port: reviews, operation, rates: [] });
    });
    child.once('exit', () => reject(new Error(`${name} ended`)));
  });
}

/** Calls a webhook, and returns the text of its answer. */
export function ask({ port, agent }, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const path = '/validate?timeout=10s';
    const call = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve(text));
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

/** The seconds of processor time that a program has used, where the system tells it (Linux), else NaN. */
export function processorSeconds({ child }) {
  try {
    const [, ...fields] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.join(') ').split(' ').slice(11, 13).map(Number);
    return (user + system) / 100;
  } catch {
    return Number.NaN;
  }
}
