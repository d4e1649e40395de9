import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, folderUntil, runProgram } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

// Each starts processes, which a busy machine lets wait.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

function run(...args: readonly string[]): Promise<Ended> {
  return runProgram(process.execPath, [program, ...args]);
}

const onFreePort = ['--in-memory', '--listen', '127.0.0.1:0'];

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n';

/** A script that sends a request to the server of its kubeconfig and prints the answer. */
function askingFor(path: string): string {
  return `
    const fs = require('node:fs');
    const https = require('node:https');
    const text = fs.readFileSync(process.env.KUBECONFIG, 'utf8');
    const pem = (name) => Buffer.from(new RegExp(name + ': (\\\\S+)').exec(text)[1], 'base64');
    https.get(/server: (\\S+)/.exec(text)[1] + '${path}', {
      ca: pem('certificate-authority-data'),
      cert: pem('client-certificate-data'),
      key: pem('client-key-data'),
    }, (answer) => answer.pipe(process.stdout));`;
}

/** The tests of an operator in short. */
const suite = fileURLToPath(new URL('operator-suite.js', import.meta.url));

describe('a command', () => {
  test('runs against a new server, and returns its exit code', async () => {
    const { exitCode, stdout, stderr } = await run('--', 'sh', '-c', 'cat "$KUBECONFIG"; exit 7');
    expect(stderr).toBe('');
    expect(exitCode).toBe(7);
    expect(stdout).toContain('current-context: kubeadmit');
  });

  test('writes a kubeconfig that only its owner can read, also over an existing file', async () => {
    const folder = folderUntil(onTestFinished, { kubeconfig: 'old', other: 'other' });
    chmodSync(join(folder, 'kubeconfig'), 0o644);
    symlinkSync(join(folder, 'other'), join(folder, 'link'));
    for (const name of ['kubeconfig', 'link']) {
      const file = join(folder, name);
      const { exitCode, stderr } = await run('--write-kubeconfig', file, '--', 'true');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(lstatSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toContain('client-key-data');
    }
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('other');
  });

  test('that does not exist returns the exit code of shells', async () => {
    const { exitCode, stderr } = await run('--', 'no-such-command');
    expect(exitCode).toBe(127);
    expect(stderr).toBe('error: command not found: no-such-command\n');
  });

  test('that tests an operator uses the server as its cluster', async () => {
    const folder = folderUntil(onTestFinished, { 'settings.yaml': configMap });
    const started = performance.now();
    const { exitCode, stdout, stderr } = await runProgram(process.execPath, [
      ...[program, '--load', join(folder, 'settings.yaml')],
      ...['--', process.execPath, suite],
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe('created 201\nread 200 settings\nrejected 422\nwatched ADDED\n');
    const milliseconds = Math.round(performance.now() - started);
    console.info(`NOTE: the tests of an operator against a new server: ${milliseconds} ms`);
  });

  test.each([
    [undefined, 'true'],
    ['false', 'false'],
  ])('with USE_EXISTING_CLUSTER=%s sees %s', async (given, seen) => {
    const env = { ...process.env, USE_EXISTING_CLUSTER: given };
    const command = ['sh', '-c', 'echo "$USE_EXISTING_CLUSTER"'];
    const { stdout } = await runProgram(process.execPath, [program, '--', ...command], { env });
    expect(stdout.trim()).toBe(seen);
  });

  test('finds the loaded objects, with definitions created first', async () => {
    const folder = folderUntil(onTestFinished, {
      'a.yaml':
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one, namespace: shop}\nspec: {size: 1}\n',
      'inner/b.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`,
    });
    const script = askingFor('/apis/example.com/v1/widgets');
    const { exitCode, stdout, stderr } = await run(
      '--load',
      folder,
      '--',
      process.execPath,
      '-e',
      script,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout).items[0]).toMatchObject({
      kind: 'Widget',
      metadata: { name: 'one', namespace: 'shop' },
      spec: { size: 1 },
    });
  });
});

describe('options', () => {
  test.each([
    [[], 'error: no storage selected: use --data DIR, --etcd URL or --in-memory\n'],
    [['--data', 'a', '--in-memory'], 'error: choose one of --data, --etcd and --in-memory\n'],
    [['--in-memory', '--tls-cert', 'a'], 'error: --tls-cert and --tls-key must be used together\n'],
    [
      ['--in-memory', '--always-allow', '--listen', '0.0.0.0:0'],
      'error: --always-allow requires a loopback address, not 0.0.0.0\n',
    ],
    [['--in-memory', '--listen', 'x'], /option '--listen <host:port>' argument 'x' is invalid/],
    [['--etcd', 'nope'], 'error: --etcd: not a URL: nope\n'],
    [['--in-memory', '--kubernetes-version', '1.5'], /1\.5/],
    [['--in-memory', '--load', '/nope'], /\/nope: no such file or directory/],
    [
      ['--in-memory', '--static-manifests', '/nope'],
      'error: --static-manifests: /nope: no such file or directory\n',
    ],
    [
      ['--in-memory', '--static-manifests', 'a', '--kubernetes-version', '1.35'],
      'error: Kubernetes 1.35 does not support static manifests; --static-manifests requires 1.36 and newer\n',
    ],
    [
      ['--in-memory', '--disable-admission-plugins', 'Priority,Prioritty'],
      'error: disable-admission-plugins plugin "Prioritty" is unknown\n',
    ],
    [
      [
        ...['--in-memory', '--enable-admission-plugins', 'NoSuch,Other'],
        ...['--disable-admission-plugins', 'Nope'],
      ],
      'error: [enable-admission-plugins plugin "NoSuch" is unknown, enable-admission-plugins plugin "Other" is unknown, disable-admission-plugins plugin "Nope" is unknown]\n',
    ],
    [
      [
        ...['--in-memory', '--enable-admission-plugins', 'AlwaysAdmit,AlwaysDeny,AlwaysAdmit'],
        ...['--disable-admission-plugins', 'AlwaysDeny,AlwaysAdmit'],
      ],
      'error: [AlwaysAdmit AlwaysDeny] in enable-admission-plugins and disable-admission-plugins overlapped\n',
    ],
    [
      [
        ...['--in-memory', '--enable-admission-plugins', 'PodTopologyLabels'],
        ...['--kubernetes-version', '1.32'],
      ],
      'error: enable-admission-plugins plugin "PodTopologyLabels" is unknown\n',
    ],
    [
      ['--in-memory', '--enable-admission-plugins', 'ImagePolicyWebhook'],
      'error: unsupported admission plugin "ImagePolicyWebhook": it calls an image policy server\n',
    ],
    [
      ['--in-memory', '--admission-control-config-file', '/nope'],
      'error: failed to apply admission: failed to read plugin config: unable to read admission control configuration from "/nope" [open /nope: no such file or directory]\n',
    ],
    [
      ['--in-memory', '--admission-control-config-file', 'a', '--kubernetes-version', '1.35'],
      'error: failed to apply admission: failed to read plugin config: unable to read admission control configuration from "a" [open a: no such file or directory]\n',
    ],
    [['--in-memory', '--token-file', '/nope'], 'error: /nope: no such file or directory\n'],
    [
      ['--etcd', 'https://127.0.0.1:1', '--etcd-cafile', '/nope'],
      'error: /nope: no such file or directory\n',
    ],
    [
      [
        ...['--in-memory', '--oidc-issuer-url', 'https://127.0.0.1:1', '--oidc-client-id', 'a'],
        ...['--oidc-ca-file', '/nope'],
      ],
      'error: /nope: no such file or directory\n',
    ],
    [
      ['--in-memory', '--write-kubeconfig', '/nope/a', '--listen', '127.0.0.1:0'],
      'error: /nope/a: no such file or directory\n',
    ],
    [['--data', ''], 'error: --data requires a folder\n'],
    [
      ['--in-memory', '--client-ca', 'package.json'],
      'error: --client-ca: package.json contains no PEM certificate\n',
    ],
    [
      ['--in-memory', '--tls-cert', 'package.json', '--tls-key', 'package.json'],
      /--tls-cert and --tls-key: package.json and package.json are not a certificate and its key: /,
    ],
    [
      ['--in-memory', '--audit-log-path', '/nope/a'],
      'error: --audit-log-path: /nope/a: no such file or directory\n',
    ],
    [['--in-memory', '--nope'], /unknown option '--nope'/],
    [['--in-memory', 'nope'], 'error: unexpected arguments: `nope`; put a command after `--`\n'],
  ])('%j are refused', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });

  test.runIf(process.platform !== 'win32').each([
    ['--admission-control-config-file', /open .*pipe: nothing was written to the pipe within 5 s/],
    ['--token-file', /pipe: nothing was written to the pipe within 5 s/],
    ['--load', /pipe: nothing was written to the pipe within 5 s/],
    ['--config', /pipe: nothing was written to the pipe within 5 s/],
    ['--audit-log-path', /--audit-log-path: .*pipe: nothing reads the pipe/],
  ])('%s of a pipe without another end does not wait forever', async (option, message) => {
    const path = join(folderUntil(onTestFinished), 'pipe');
    execFileSync('mkfifo', [path]);
    const { exitCode, stderr } = await run(...onFreePort, option, path);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  test.runIf(process.platform !== 'win32')('a device without an end is refused', async () => {
    const { exitCode, stderr } = await run(
      ...['--in-memory', '--admission-control-config-file', '/dev/zero'],
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('[open /dev/zero: larger than 128Mi]');
  });

  test.runIf(process.platform !== 'win32')('a pipe in a folder is refused', async () => {
    const folder = folderUntil(onTestFinished);
    execFileSync('mkfifo', [join(folder, 'a.yaml')]);
    for (const option of ['--static-manifests', '--load']) {
      const { exitCode, stderr } = await run(...onFreePort, option, folder);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('not a regular file')]);
    }
  });

  test('exits with 4 if the store cannot be reached', async () => {
    const { exitCode, stderr } = await run('--etcd', 'http://127.0.0.1:1');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('error: etcd at http://127.0.0.1:1 does not answer: ');
  });

  test('exits with 4 if the folder cannot be created', async () => {
    const { exitCode, stderr } = await run('--data', 'package.json', '--listen', '127.0.0.1:0');
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^error: package.json cannot store the data: ENOTDIR/);
  });

  test('reports rejected manifests with their files', async () => {
    const folder = folderUntil(onTestFinished, {
      'a.yaml': `${configMap}dataa: {}\n`,
      'b.yaml': configMap.replace('ConfigMap', 'Nope'),
    });
    const { exitCode, stderr } = await run('--load', folder, '--', 'true');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`a.yaml: ConfigMap settings: ConfigMap in version "v1" cannot be`);
    expect(stderr).toContain('b.yaml: Nope settings: no matches for kind "Nope" in version "v1"');
  });

  test('rejects a folder without manifests', async () => {
    const folder = folderUntil(onTestFinished);
    const { exitCode, stderr } = await run('--load', folder, '--', 'true');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${folder}: no objects to load`);
  });

  test('exits with 0 after printing help', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: kubeadmit apiserver [options] [-- COMMAND …]');
  });
});

test('a restart finds the data and the same CA', async () => {
  const folder = folderUntil(onTestFinished, { 'settings.yaml': configMap });
  const file = join(folder, 'settings.yaml');
  const script = 'grep certificate-authority-data "$KUBECONFIG"';
  const first = await run('--data', join(folder, 'data'), '--load', file, '--', 'sh', '-c', script);
  const kubeconfig = join(folder, 'kubeconfig');
  const second = await run(
    ...['--data', join(folder, 'data'), '--write-kubeconfig', kubeconfig],
    ...['--load', file, '--', 'sh', '-c', script],
  );
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(second).toEqual(first);
  expect(readFileSync(kubeconfig, 'utf8')).toContain('server: https://127.0.0.1:');
});

test('answers requests and reports the problem if the audit log cannot be written', async () => {
  const args = ['--in-memory', '--audit-log-path', '/dev/full', '--listen', '127.0.0.1:0'];
  const script = askingFor('/api/v1/namespaces/default');
  const { exitCode, stdout, stderr } = await run(...args, '--', process.execPath, '-e', script);
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'Namespace' });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr:
      'error: the audit log cannot be written, so its lines are lost: no space left on the device\n',
  });
});
