import { stringify } from 'yaml';
import type { JsonObject } from './server/json.ts';

/** A call of kubectl in either of two namespaces. */
export interface KubectlCall {
  readonly args: readonly string[];
  readonly input: string;
}

const pod = (name: string, image: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'web', image }] },
});
const deployment = (name: string, replicas: number, image: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { team: 'shop' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image }] },
    },
  },
});
const configMap = (name: string, data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const widget = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, labels: { team: 'shop' } },
  spec,
});
const mutated = { annotations: { mutate: 'yes' } };
const guarded = { annotations: { protected: 'yes' }, labels: { team: 'shop' } };

const objects: readonly JsonObject[] = [
  pod('k-plain', 'nginx:1.25'),
  pod('k-latest', 'nginx:latest'),
  pod('k-sidecar', 'nginx:1.25', { annotations: { sidecar: 'yes' }, labels: { team: 'shop' } }),
  pod('k-broken', 'nginx:1.25', { annotations: { break: '/spec/nowhere' } }),
  deployment('k-few', 2, 'nginx:1.25'),
  deployment('k-many', 8, 'nginx:1.25'),
  deployment('k-latest', 2, 'nginx:latest'),
  configMap('k-plain', { key: 'value' }),
  configMap('k-error', { number: 'x' }),
  configMap('k-keys', { 'a-key-that-is-long': 'x' }),
  configMap('k-mutated', { key: 'value' }, mutated),
  configMap('k-guarded', { key: 'value' }, guarded),
  widget('k-small', { size: 2 }),
  widget('k-large', { size: 40 }),
];

/**
 * All calls in order: create, apply, server-side apply, patch, scale, exec, delete and the calls that build on them.
 */
export function kubectlCalls(): readonly KubectlCall[] {
  const ways = [
    ['create', '-f', '-'],
    ['apply', '-f', '-'],
    ['apply', '--server-side', '--force-conflicts', '-f', '-'],
    ['replace', '-f', '-'],
  ];
  const merged = JSON.stringify({ metadata: { labels: { patched: 'yes' } } });
  const calls: readonly (readonly string[])[] = [
    ['patch', 'configmap', 'k-plain', '-p', merged],
    ['patch', 'configmap', 'k-plain', '--type=merge', '-p', '{"data":{"number":"-1"}}'],
    ['patch', 'deployment', 'k-few', '-p', '{"spec":{"replicas":9}}'],
    ['label', 'pod', 'k-plain', 'team=shop'],
    ['annotate', 'configmap', 'k-plain', 'mutate=yes'],
    ['scale', 'deployment', 'k-few', '--replicas=3'],
    ['scale', 'deployment', 'k-few', '--replicas=8'],
    ['set', 'image', 'deployment/k-few', 'web=nginx:latest'],
    ['set', 'image', 'deployment/k-few', 'web=nginx:1.27'],
    ['exec', 'k-plain', '--', 'sh'],
    ['run', 'k-run', '--image=nginx:latest'],
    ['run', 'k-run', '--image=nginx:1.25'],
    ['create', 'configmap', 'k-literal', '--from-literal=number=0'],
    ['create', 'configmap', 'k-literal', '--from-literal=key=x', '-o', 'yaml', '--dry-run=server'],
    ['create', 'secret', 'generic', 'k-secret', '--from-literal=key=x'],
    ['create', 'serviceaccount', 'k-robot'],
    ['create', 'token', 'k-robot', '--duration=3h'],
    ['create', 'service', 'clusterip', 'k-service', '--clusterip=None'],
    ['delete', 'configmap', 'k-guarded'],
    ['delete', 'configmap', 'k-plain', 'k-mutated'],
    ['delete', 'pod', 'k-plain', '--now', '--wait=false'],
    ['delete', 'deployment', 'k-few', '--cascade=orphan', '--wait=false'],
  ];
  return [
    ...ways.flatMap((args) => objects.map((object) => ({ args, input: stringify(object) }))),
    ...calls.map((args) => ({ args, input: '' })),
  ];
}
