import type { Answer } from '@kubeadmit/apiserver-tools';
import { readManifests, Source } from '@kubeadmit/manifest';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import type { StaticKind, StaticManifest, WebhookClient } from '../src/index.ts';
import { startLocalServer } from './local-server.ts';

// The recording of kube-apiserver 1.37.1 by `tooling/admission`: why it does not start, or its answers.
interface Case {
  readonly id: string;
  readonly plugin: 'ValidatingWebhook' | 'MutatingWebhook';
  readonly files: Readonly<Record<string, string>>;
  readonly requests?: readonly { method: string; path: string; body: object }[];
  readonly error?: string;
  readonly answers?: readonly { readonly code: number; readonly message?: string }[];
}

const cases = readLines<Case>(new URL('static-webhooks.ndjson', import.meta.url));

/** The manifests of the files, or the error of one. */
function manifestsOf({ plugin, files }: Case): readonly StaticManifest[] | string {
  const folderKind: StaticKind = `${plugin}Configuration`;
  const manifests: StaticManifest[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = `DIR/${name}`;
    const read = readManifests(new Source(path, text));
    const [problem] = read.problems;
    if (problem !== undefined) return problem.message;
    for (const { object } of read.manifests) manifests.push({ file: path, object, folderKind });
  }
  return manifests;
}

// Nothing listens where the webhooks of the cases are.
const refused: WebhookClient = {
  call: async ({ clientConfig, timeoutSeconds }) => {
    const url = `${String(clientConfig['url'])}?timeout=${timeoutSeconds}s`;
    throw new Error(`Post "${url}": dial tcp 127.0.0.1:1: connect: connection refused`);
  },
};

const { server: judge } = await startLocalServer();

test.each(cases)('$id', (each) => {
  const manifests = manifestsOf(each);
  // Other texts are read by who serves, with a reader of his own.
  if (typeof manifests === 'string') return expect(each.error).toContain('yaml: line 1: ');
  expect(judge.useStaticManifests(manifests)[0]?.message).toBe(each.error);
});

test.each(cases.filter(({ requests }) => requests))('requests: $id', async (each) => {
  const { ask, server } = await startLocalServer({ webhooks: refused });
  expect(server.useStaticManifests(manifestsOf(each) as readonly StaticManifest[])).toEqual([]);
  const answers: unknown[] = [];
  for (const { method, path, body } of each.requests ?? []) {
    const headers = { 'content-type': 'application/json' };
    const text = JSON.stringify(body);
    const whole = `${path}?dryRun=All`;
    const answer: Answer = await ask({ method, path: whole, headers, as: 'admin', body: text });
    const { message } = JSON.parse(answer.text) as { readonly message?: string };
    answers.push({ code: answer.status, ...(message === undefined ? {} : { message }) });
  }
  expect(answers).toEqual(each.answers);
});

test('webhooks of the own disk come before stored ones, and go with their folder', async () => {
  const { ask, server } = await startLocalServer();
  const configuration = (name: string, path: string): Readonly<Record<string, unknown>> => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'w.example.com',
        clientConfig: { url: `https://127.0.0.1${path}` },
        rules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] },
        ],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  const post = async (path: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' };
    return ask({ method: 'POST', path, headers, as: 'admin', body: JSON.stringify(body) });
  };
  const secret = async (): Promise<unknown> => {
    const metadata = { generateName: 'a-' };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata };
    const { text } = await post('/api/v1/namespaces/default/secrets', object);
    const made = JSON.parse(text) as { metadata: { labels?: unknown }; message?: string };
    return made.message ?? made.metadata.labels;
  };
  const kinds = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  const object = configuration('b.static.k8s.io', '/label-b');
  expect(server.useStaticManifests([{ file: '/w/b.yaml', object }])).toEqual([]);
  expect(await secret()).toEqual({ 'hooked-b': 'yes' });
  expect((await post(kinds, configuration('a', '/deny'))).status).toBe(201);
  expect(await secret()).toBe('admission webhook "w.example.com" denied the request: not today');
  expect(server.useStaticManifests([])).toEqual([]);
  const { text } = await ask({ method: 'GET', path: kinds, headers: {}, as: 'admin' });
  expect((JSON.parse(text) as { items: unknown[] }).items).toHaveLength(1);
});
