import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  type KubernetesObject,
  listOf,
  member,
  metadataString,
  type Status,
} from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { admitObject, type PreparedChain, prepareChain } from '../../src/index.ts';

/** A write and the answer of kube-apiserver with its default plugins. */
interface RecordedWrite {
  readonly id: string;
  readonly resources: readonly KubernetesObject[];
  readonly request: {
    readonly verb: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly object?: KubernetesObject;
    readonly user?: { readonly username: string; readonly groups?: readonly string[] };
  };
  readonly code: number;
  readonly status?: Status;
  readonly object?: KubernetesObject;
}

const file = new URL('../../../../conformance/write/default-plugins.ndjson.gz', import.meta.url);
const writes = gunzipSync(readFileSync(file))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedWrite)
  .filter(({ request }) => request.verb === 'create' && !request.subresource && request.object);

/** Namespaces that were not given are assumed, and the usage of quotas is always known. */
function isAssumed({ resources, status }: RecordedWrite): boolean {
  const hasEmptyStatus = resources.some(
    (each) =>
      each['kind'] === 'ResourceQuota' && member(member(each, 'status'), 'used') === undefined,
  );
  return hasEmptyStatus || status?.message === 'namespaces "nowhere" not found';
}

/** LimitRanger lists problems in the order of a Go map. */
function sorted(message = ''): string {
  return message.replace(/ is forbidden: \[(.*)\]$/s, (_, list: string) => {
    const problems = list.split(/, (?=minimum |maximum |\S+ max limit)/);
    return ` is forbidden: [${problems.sort().join(', ')}]`;
  });
}

async function loadChains(): Promise<Map<string, PreparedChain>> {
  const chains = new Map<string, PreparedChain>();
  for (const { resources } of writes) {
    const key = JSON.stringify(resources);
    if (chains.has(key)) continue;
    const plugins = { selection: 'default', refusesUnknown: true } as const;
    chains.set(
      key,
      await prepareChain({ resources, clock: Date.now, onErrors: 'report', plugins }),
    );
  }
  return chains;
}

const fieldsOfPlugins = [
  ...['priority', 'preemptionPolicy', 'tolerations', 'volumes', 'overhead', 'nodeSelector'],
  ...['serviceAccountName', 'imagePullSecrets'],
];

/** The fields of a pod that plugins write, without random names. */
function writtenByPlugins(pod: KubernetesObject | null): unknown {
  const spec = member(pod, 'spec');
  const containers = listOf(member(spec, 'containers')).map((each) => [
    member(each, 'resources'),
    member(each, 'volumeMounts'),
  ]);
  const fields = fieldsOfPlugins.map((name) => member(spec, name));
  const text = JSON.stringify([...fields, containers]);
  return JSON.parse(text.replaceAll(/kube-api-access-\w+/g, 'kube-api-access'));
}

test('decides about new objects as a server with its default plugins', {
  timeout: 120_000,
}, async () => {
  const chains = await loadChains();
  const differences: string[] = [];
  let compared = 0;
  for (const write of writes) {
    const { id, resources, request, code, status, object: stored } = write;
    const chain = chains.get(JSON.stringify(resources));
    if (chain === undefined || request.object === undefined || isAssumed(write)) continue;
    const { namespace = '', user } = request;
    const metadata = { ...(member(request.object, 'metadata') as object), namespace };
    const object = namespace === '' ? request.object : { ...request.object, metadata };
    const passage = admitObject(
      chain,
      object,
      user === undefined ? {} : { user: { name: user.username, groups: user.groups ?? [] } },
    );
    compared++;
    const expected = {
      allowed: code < 300,
      message: code === 403 ? sorted(status?.message) : undefined,
    };
    const message = code === 403 ? sorted(passage.status?.message) : undefined;
    if (JSON.stringify({ allowed: passage.allowed, message }) !== JSON.stringify(expected))
      differences.push(`${id} ${metadataString(object, 'name')}: ${message} / ${status?.message}`);
    else if (stored?.['kind'] === 'Pod')
      expect(writtenByPlugins(passage.object), id).toEqual(writtenByPlugins(stored));
  }
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(2000);
});
