import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { operationsOf } from '@kubeadmit/chain/findings';
import type { AssumedByPlugins } from '@kubeadmit/chain/plugins';
import { passMutation } from '@kubeadmit/chain/unstable-internal';
import type { GivenManifest } from '@kubeadmit/lint';
import { readManifests, Source, stringifyYaml } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  Checker,
  Explainer,
  loadCheck,
  type PluginRun,
  prepareChain,
  prepareCheck,
} from '../../src/index.ts';

interface Case {
  readonly name: string;
  readonly plugins: PluginRun;
  readonly objects: readonly KubernetesObject[];
  /** `KIND/NAME VERDICT by PLUGIN: MESSAGE` of each finding, or that the object is allowed. */
  readonly results: readonly string[];
  /** The assumptions; absent if there are none. */
  readonly assumed?: AssumedByPlugins;
}

const text = readFileSync(new URL('plugins.yaml', import.meta.url), 'utf8');
const cases = parse(text, { merge: true }) as readonly Case[];
const clock = (): number => 0;

async function prepare(objects: readonly unknown[], plugins: PluginRun) {
  const source = new Source('all.yaml', objects.map((each) => stringifyYaml(each)).join('---\n'));
  const given = readManifests(source).manifests.map(
    (manifest): GivenManifest => ({ manifest, role: 'any' }),
  );
  const settings = { namespace: 'shop', user: { name: 'admin' }, withoutPolicies: true };
  const check = await prepareCheck(given, settings, () => undefined);
  return { check, loaded: await loadCheck(check, { clock, plugins }) };
}

test.each(cases)('$name', async ({ plugins, objects, results, assumed }) => {
  const { check, loaded } = await prepare(objects, plugins);
  const checker = new Checker(loaded);
  const told = check.requests.flatMap((request) => {
    const { kind, name, findings } = checker.check(request);
    const shown = findings.filter(({ verdict }) => verdict !== 'allow');
    if (shown.length === 0) return [`${kind}/${name} allowed`];
    return shown.map(({ plugin, verdict, message }) => {
      const by = plugin === undefined ? '' : ` by ${plugin}`;
      return `${kind}/${name} ${verdict === 'deny' ? 'denied' : 'warned'}${by}: ${message}`;
    });
  });
  expect(told).toEqual(results);
  expect(checker.report(check, loaded).coverage.assumedByPlugins).toEqual(assumed);
});

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};
const limits = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'defaults', namespace: 'shop' },
  spec: { limits: [{ type: 'Container', default: { memory: '1Gi' } }] },
};
const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'none', namespace: 'shop' },
  spec: { hard: { pods: '0' } },
};

const high = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'high' },
  value: 1000,
};
const kata = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'kata' },
  handler: 'kata',
  overhead: { podFixed: { cpu: '250m' } },
  scheduling: { nodeSelector: { vm: 'yes' } },
};
const baseline = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
};

test('explains plugins in order, with the objects that caused their results', async () => {
  const { check, loaded } = await prepare([pod, limits, quota], { selection: 'default' });
  const { chain } = loaded;
  const explainer = new Explainer({ check, cluster: chain.cluster, policies: [], chain });
  const [request] = check.requests;
  const explained = request && explainer.explain(request);
  expect(explained?.allowed).toBe(false);
  expect(
    explained?.plugins?.map(({ plugin, outcome, causes }) => [plugin, outcome, causes.join()]),
  ).toEqual([
    ['LimitRanger', 'changed', 'LimitRange shop/defaults'],
    ['ServiceAccount', 'changed', 'ServiceAccount shop/default'],
    ['Priority', 'changed', ''],
    ['DefaultTolerationSeconds', 'changed', ''],
    ['ResourceQuota', 'denied', 'ResourceQuota shop/none'],
  ]);
  expect(explained?.changes).toEqual([]);
});

test.each([
  ['Priority', 'PriorityClass high', { priorityClassName: 'high', priority: 7 }],
  ['Priority', 'PriorityClass high', { priorityClassName: 'high', preemptionPolicy: 'Never' }],
  ['RuntimeClass', 'RuntimeClass kata', { runtimeClassName: 'kata', nodeSelector: { vm: 'no' } }],
  ['RuntimeClass', 'RuntimeClass kata', { runtimeClassName: 'kata', overhead: { cpu: '1' } }],
  ['PodSecurity', 'Namespace shop', { hostNetwork: true }],
])('names the object because of which %s denies a pod: %s', async (name, cause, fields) => {
  const denied = { ...pod, spec: { ...pod.spec, ...fields } };
  const inputs = [denied, high, kata, baseline];
  const { check, loaded } = await prepare(inputs, { selection: 'default' });
  const { chain } = loaded;
  const explainer = new Explainer({ check, cluster: chain.cluster, policies: [], chain });
  const request = check.requests.find(({ manifest }) => manifest.kind === 'Pod');
  const explained = request && explainer.explain(request);
  const denial = explained?.plugins?.find(({ outcome }) => outcome === 'denied');
  expect([denial?.plugin, denial?.causes]).toEqual([name, [cause]]);
});

test('names the plugin of each change, and leaves it out of the patch of policies', async () => {
  const { check, loaded } = await prepare([pod, limits], { selection: ['LimitRanger'] });
  const [request] = check.requests;
  if (request === undefined) throw new Error('no request');
  const { changes, patch, object } = passMutation(loaded.chain, request.request, {
    isOfClient: true,
  });
  expect(changes.map(({ plugin, causes }) => [plugin, causes])).toEqual([
    ['LimitRanger', ['LimitRange shop/defaults']],
  ]);
  expect(changes.flatMap(operationsOf).map(({ path }) => path)).toEqual([
    '/metadata/annotations',
    '/spec/containers/0/resources',
  ]);
  expect(patch).toEqual([]);
  expect(object).toMatchObject({
    spec: { containers: [{ resources: { limits: { memory: '1Gi' } } }] },
  });
});

test.each([
  ['ImagePolicyWebhook', 'unsupported admission plugin "ImagePolicyWebhook"'],
  ['Unknown', 'unknown admission plugin "Unknown"'],
])('rejects the plugin %s', async (plugin, message) => {
  const loading = prepareChain({ resources: [], clock, plugins: { selection: [plugin] } });
  await expect(loading).rejects.toThrow(message);
});
