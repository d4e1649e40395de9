import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { withFiles } from '../process/program.ts';
import { type Ran, runHere } from '../terminal.ts';

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations: [{expression: "has(object.data)", message: no data}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`;
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';
const fakeHelm = `#!${process.execPath}
console.log(${JSON.stringify(configMap)} + '# ' + process.argv.slice(2).join(' '));
`;
const failing = `#!${process.execPath}
console.error('Error: values are missing'); process.exit(1);
`;

async function runIn(folder: string, args: readonly string[], path?: string): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await runHere(args, { env: { PATH: path ?? process.env['PATH'] } });
  } finally {
    process.chdir(before);
  }
}

const summary = '1 object checked by 1 policy with 1 binding: 1 denied';

test('policies of a revision, whatever lies in the folder now', async () => {
  await withFiles(
    { 'policies/p.yaml': policy, 'policies/readme.md': '#', 'c.yaml': configMap },
    async (folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: folder,
        });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-q', '-m', 'one');
      git('rm', '-q', '-r', 'policies');
      const right = await runIn(folder, ['check', '-p', 'main:policies/', '-r', 'HEAD:c.yaml']);
      expect([right.exitCode, right.stderr]).toEqual([1, '']);
      expect(right.stdout).toContain(summary);
      expect(right.stdout).toContain('HEAD:c.yaml');
      const wrong = await runIn(folder, [
        'check',
        '-p',
        'old:policies/',
        '-r',
        'main:nothing',
        'c.yaml',
      ]);
      expect(wrong.exitCode).toBe(2);
      expect(wrong.stderr).toContain('old:policies/: error: `git rev-parse');
      expect(wrong.stderr).toContain('main:nothing: error: there is no `nothing` in main');
    },
  );
});

const chart = { 'p.yaml': policy, 'shop/Chart.yaml': 'name: shop', 'v.yaml': 'a: 1' };

test('charts are rendered by the helm of the user', async () => {
  await withFiles({ ...chart, 'bin/helm': fakeHelm }, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-r', 'shop', '--helm-values', 'v.yaml', '-n', 'x'];
    const { exitCode, stdout, stderr } = await runIn(folder, args, `${folder}/bin`);
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toContain('shop (helm template)');
    expect(stdout).toContain(summary);
  });
});

test('a chart that does not render, or without helm, is an error', async () => {
  await withFiles({ ...chart, 'bin/helm': failing }, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-r', 'shop'];
    const failed = await runIn(folder, args, `${folder}/bin`);
    expect(failed.stderr).toContain('ended with 1: Error: values are missing');
    const without = await runIn(folder, args, `${folder}/none`);
    expect(without.stderr).toContain('there is no `helm` to render it');
    expect([failed.exitCode, without.exitCode]).toEqual([2, 2]);
  });
});

test('kustomizations are built by kustomize, else by kubectl, else read as they lie', async () => {
  const files = {
    'p.yaml': policy,
    'k/kustomization.yaml': 'resources: [c.yaml]',
    'k/c.yaml': configMap,
  };
  await withFiles({ ...files, 'bin/kubectl': fakeHelm }, async (folder) => {
    chmodSync(`${folder}/bin/kubectl`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-r', 'k'];
    const built = await runIn(folder, args, `${folder}/bin`);
    expect(built.stdout).toContain('k (kustomize build)');
    const read = await runIn(folder, args, `${folder}/none`);
    expect(read.stdout).toContain('k/c.yaml');
    expect([built.exitCode, read.exitCode]).toEqual([1, 1]);
  });
});

let server: Server | undefined;
afterEach(() => server?.close());

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function archiveOf(folder: string): Buffer {
  return execFileSync('tar', ['-czf', '-', '-C', folder, 'policies']);
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

const deep = `policies/${'d'.repeat(60)}/${'e'.repeat(60)}/p.yaml`;

test('an archive of the web is held against its digest', async () => {
  await withFiles(
    { [deep]: policy, 'policies/x.txt': 'x', 'c.yaml': configMap },
    async (folder) => {
      const bytes = archiveOf(folder);
      const host = await serve((request, response) => {
        if (request.url === '/p.tgz') response.end(bytes);
        else response.writeHead(404).end();
      });
      const check = (address: string) =>
        runIn(folder, ['check', '-p', `http://${host}${address}`, 'c.yaml']);
      const pinned = await check(`/p.tgz#${digestOf(bytes)}`);
      expect([pinned.exitCode, pinned.stderr]).toEqual([1, '']);
      expect(pinned.stdout).toContain(summary);
      const loose = await check('/p.tgz');
      expect([loose.exitCode, loose.stderr]).toEqual([1, expect.stringContaining('it may change')]);
      const other = await check(`/p.tgz#sha256:${'0'.repeat(64)}`);
      expect(other.stderr).toContain('this is not what was asked for');
      const missing = await check('/none.tgz');
      expect(missing.stderr).toContain('error: the answer is 404');
      expect([other.exitCode, missing.exitCode]).toEqual([2, 2]);
    },
  );
});

test('what is no archive, and addresses that are not safe, are errors', async () => {
  await withFiles({ 'c.yaml': configMap }, async (folder) => {
    const host = await serve((_, response) => response.end('x'.repeat(2000)));
    const check = (address: string) => runIn(folder, ['check', '-p', address, 'c.yaml']);
    expect((await check(`http://${host}/p.tar`)).stderr).toContain('this is no tar archive');
    expect((await check('http://example.com/p.yaml')).stderr).toContain('only https://');
    expect((await check('oci://Bad Name')).stderr).toContain('this is no reference such as oci://');
  });
});

test('an artifact of a registry, with a token and digests', async () => {
  await withFiles({ 'policies/p.yaml': policy, 'c.yaml': configMap }, async (folder) => {
    const layer = archiveOf(folder);
    const digest = digestOf(layer);
    const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip';
    const manifest = Buffer.from(
      JSON.stringify({ schemaVersion: 2, layers: [{ mediaType, digest }] }),
    );
    let stored = layer;
    const host: string = await serve((request, response) => {
      const url = request.url ?? '';
      if (url.startsWith('/token')) response.end('{"token": "t"}');
      else if (request.headers.authorization !== 'Bearer t') {
        const realm = `Bearer realm="http://${request.headers.host}/token",service="s",scope="pull"`;
        response.writeHead(401, { 'www-authenticate': realm }).end();
      } else if (/^\/v2\/team\/policies\/manifests\/(v1|sha256:)/.test(url)) response.end(manifest);
      else if (url === `/v2/team/policies/blobs/${digest}`) response.end(stored);
      else response.writeHead(404).end();
    });
    const check = (reference: string) =>
      runIn(folder, ['check', '-p', `oci://${host}/team/policies${reference}`, 'c.yaml']);
    const pinned = await check(`:v1@${digestOf(manifest)}`);
    expect([pinned.exitCode, pinned.stderr]).toEqual([1, '']);
    expect(pinned.stdout).toContain(summary);
    expect((await check(':v1')).stderr).toContain('@sha256:… says which content is meant');
    expect((await check(':v2')).stderr).toContain('is 404');
    stored = Buffer.from(readFileSync(`${folder}/c.yaml`));
    expect((await check(':v1')).stderr).toContain('this is not what was asked for');
  });
});
