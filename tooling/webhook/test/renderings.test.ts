import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { plainManifests, rendering, renderingHead, valuesFiles } from '../src/chart.ts';
import type { JsonObject } from '../src/server/json.ts';
import { startCluster, type TestCluster } from './cluster.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
  const metadata = { name: 'policies' };
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata };
  await cluster.ask('POST', '/api/v1/namespaces', { body });
});

afterAll(() => cluster.stop());

function objectsIn(file: string): readonly JsonObject[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  return documents.map((each) => each.toJS() as JsonObject).filter((each) => each !== null);
}

// Whether other projects define the kind.
function isForeign({ apiVersion }: JsonObject): boolean {
  return /^(?:cert-manager\.io|monitoring\.coreos\.com)\//.test(String(apiVersion));
}

async function problemsOf(object: JsonObject): Promise<readonly string[]> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata as { readonly name: string; readonly namespace?: string };
  const root = String(apiVersion).includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { object: found } = await cluster.ask('GET', root);
  const resources = (found['resources'] ?? []) as readonly JsonObject[];
  const resource = resources.find((each) => each['kind'] === kind)?.['name'];
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const path = `${root}${place}/${resource}/${name}?dryRun=All&fieldValidation=Strict`;
  const { code, object: answer } = await cluster.ask('PATCH', `${path}&fieldManager=test`, {
    body: object,
    contentType: 'application/apply-patch+yaml',
  });
  return code < 300 ? [] : [`${kind} ${name}: ${String(answer['message'])}`];
}

describe.each(valuesFiles())('the rendering with %s', (name) => {
  test('equals the rendered chart (`pnpm --filter @kubeadmit/webhook-tools render`)', () => {
    const [head] = readFileSync(rendering(name), 'utf8').split('\n');
    expect(head).toBe(renderingHead(name));
  });

  test('has objects that a server takes, without unknown fields', async () => {
    const objects = objectsIn(rendering(name)).filter((object) => !isForeign(object));
    expect(objects.length).toBeGreaterThan(4);
    expect((await Promise.all(objects.map(problemsOf))).flat()).toEqual([]);
  });
});

test('the plain manifests are taken, and are the default rendering without Helm', async () => {
  const plain = objectsIn(plainManifests);
  expect((await Promise.all(plain.map(problemsOf))).flat()).toEqual([]);
  const name = ({ kind, metadata }: JsonObject): string =>
    `${kind} ${(metadata as { readonly name: string }).name}`;
  const rendered = objectsIn(rendering('default.yaml'))
    .map(name)
    .filter((each) => !each.endsWith('-cleanup'));
  expect(plain.map(name).sort()).toEqual(['Namespace policies', ...rendered].sort());
});
