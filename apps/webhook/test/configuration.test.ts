import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, expect, test } from 'vitest';
import { createCommand } from '../src/configuration/command.ts';
import { readOptions } from '../src/configuration/options.ts';

const silent = { writeOut: () => undefined, writeErr: () => undefined };
const folder = folderUntil(afterAll);
const file = join(folder, 'configuration.yaml');

test('the schema of the configuration file has every option and its default', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../configuration.schema.json', import.meta.url), 'utf8'),
  ) as { readonly properties: Record<string, { readonly default?: unknown }> };
  const options = createCommand(silent).options.filter(({ long }) => long !== '--config');
  const names = options.map(({ long }) => (long ?? '').replace(/^--(no-)?/, ''));
  expect(Object.keys(schema.properties).sort()).toEqual(names.sort());
  for (const { long, defaultValue } of options) {
    const name = (long ?? '').replace(/^--(no-)?/, '');
    const stated = schema.properties[name]?.default;
    if (typeof defaultValue === 'number' || typeof defaultValue === 'boolean') {
      expect({ name, value: stated }).toEqual({ name, value: defaultValue });
    }
  }
});

test('a file stands for options, and options win over it', () => {
  writeFileSync(
    file,
    `policies: [a, b]
self-signed: tls
dns-name: webhook.policies.svc
workers: 3
listen: 127.0.0.1:1
native-policies: false
in-cluster: true
`,
  );
  const configuration = readOptions(['--config', file, '--listen', '127.0.0.1:2'], {}, silent);
  expect(configuration).toMatchObject({
    policies: ['a', 'b'],
    cluster: { kind: 'inCluster' },
    policyGroups: { native: false, own: true, kyverno: true },
    certificate: { kind: 'selfSigned', folder: 'tls', dnsNames: ['webhook.policies.svc'] },
    listen: { host: '127.0.0.1', port: 2 },
    workers: 3,
  });
});

test.each([
  ['unknown: 1', 'configuration.yaml: unknown option `unknown`'],
  ['polices: a', 'configuration.yaml: unknown option `polices` (did you mean `policies`?)'],
  ['events: "true"', '`events` must be true or false'],
  ['tls-key: [a, b]', '`tls-key` must be a string or a number'],
  ['Policies: a', 'unknown option `Policies`'],
  ['policies: {a: b}', '`policies` must be a string, a number, or a list of them'],
  ['- a', 'a configuration file must contain one object'],
  ['a: [', 'configuration.yaml:1: '],
])('a file with %j is refused', (text, message) => {
  writeFileSync(file, text);
  expect(() => readOptions(['--config', file], {}, silent)).toThrow(message);
});

test.each([
  [['--policies', 'a', '--certificate-secret', 'a/b'], '`--certificate-secret` requires a cluster'],
  [
    ['--certificate-secret', 'b', '--in-cluster'],
    'invalid `--certificate-secret b`: expected NAMESPACE/NAME',
  ],
  [['--certificate-secret', 'a/b/c', '--in-cluster'], 'invalid `--certificate-secret a/b/c`'],
  [
    ['--certificate-secret', 'a/b', '--in-cluster', '--self-signed', 'tls'],
    '`--certificate-secret` cannot be combined with `--tls-cert`',
  ],
  [
    ['--self-signed', 'tls', '--in-cluster', '--webhook-configuration', 'a'],
    '`--webhook-configuration` requires `--certificate-secret`',
  ],
])('the options %j are refused', (args, message) => {
  expect(() => readOptions(args, {}, silent)).toThrow(message);
});

test('--workers auto starts one process for each core, at most four', () => {
  const args = ['--policies', 'a', '--self-signed', 'tls', '--workers'];
  const workers = Math.min(availableParallelism(), 4);
  expect(readOptions([...args, 'auto'], {}, silent)?.workers).toBe(workers);
  expect(() => readOptions([...args, 'many'], {}, silent)).toThrow('Expected a number');
});

test('annotations of webhook configurations have a key and a value', () => {
  const register = ['--in-cluster', '--self-signed', 'tls', '--register', 'a', '--service', 'b/c'];
  const of = (...values: readonly string[]): readonly string[] =>
    values.flatMap((value) => ['--configuration-annotation', value]);
  expect(
    readOptions([...register, ...of('a/b=c=d', 'e=')], {}, silent)?.registration?.annotations,
  ).toEqual({ 'a/b': 'c=d', e: '' });
  expect(() => readOptions([...register, ...of('=a')], {}, silent)).toThrow('Expected KEY=VALUE');
});

test('a Secret without a namespace is in the own one', () => {
  const args = ['--in-cluster', '--certificate-secret', 'tls'];
  expect(readOptions(args, { POD_NAMESPACE: 'policies' }, silent)?.certificate).toMatchObject({
    secret: { namespace: 'policies', name: 'tls' },
  });
});

test('the own namespace and those of the system are excluded by default', () => {
  const args = ['--policies', 'a', '--self-signed', 'b'];
  const of = (more: readonly string[]): readonly string[] | undefined =>
    readOptions([...args, ...more], { POD_NAMESPACE: 'policies' }, silent)?.excludedNamespaces;
  expect(of([])).toEqual(['kube-system', 'kube-public', 'kube-node-lease', 'policies']);
  expect(of(['--no-system-namespaces', '--exclude-namespace', 'x'])).toEqual(['policies', 'x']);
});

const trustedRoot = join(folder, 'trusted_root.json');
writeFileSync(trustedRoot, '{"tlogs": []}');

const renderings = new URL('../../../tooling/webhook/renderings/', import.meta.url);

test.each(readdirSync(renderings))('the program takes the options of the rendering %s', (name) => {
  const text = readFileSync(new URL(name, renderings), 'utf8');
  const [, listed = ''] = /\n +args:\n((?: +- .*\n)+) +env:/.exec(text) ?? [];
  const args = listed
    .trim()
    .split(/\n +/)
    .map((line) => line.replace(/^- /, '').replace(/^"(.*)"$/, '$1'))
    // The program reads this file at once; the chart mounts it.
    .map((arg) => arg.replace('/sigstore/trusted_root.json', trustedRoot));
  expect(args.length).toBeGreaterThan(5);
  const environment = { POD_NAMESPACE: 'policies' };
  expect(readOptions(args, environment, silent)).toMatchObject({ cluster: { kind: 'inCluster' } });
});

test.each([
  [
    ['--register', 'a', '--policies', 'b', '--self-signed', 'tls'],
    '`--register` requires a cluster',
  ],
  [['--register', 'a', '--in-cluster', '--self-signed', 'tls'], 'is required'],
  [
    ['--register', 'a', '--in-cluster', '--self-signed', 'tls', '--service', 'kubeadmit'],
    'invalid `--service kubeadmit`: expected NAMESPACE/NAME or NAMESPACE/NAME:PORT',
  ],
  [
    ['--register', 'a', '--in-cluster', '--self-signed', 'tls', '--webhook-url', 'http://a'],
    'invalid `--webhook-url http://a`: expected https://HOST:PORT',
  ],
  [
    ['--in-cluster', '--self-signed', 'tls', '--include-control-plane', 'pods'],
    'Expected one of nodes',
  ],
  [
    ['--policies', 'a', '--self-signed', 'tls', '--namespace-lookup', 'live'],
    '`--namespace-lookup=live` requires a cluster',
  ],
])('the registration options %j are refused', (args, message) => {
  expect(() => readOptions(args, {}, silent)).toThrow(message);
});
