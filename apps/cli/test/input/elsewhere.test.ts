import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterEach, expect, test } from 'vitest';
import { readArchive } from '../../src/input/elsewhere/archive.ts';
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

async function runIn(
  folder: string,
  args: readonly string[],
  path?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await runHere(args, { env: { PATH: path ?? process.env['PATH'], ...env } });
  } finally {
    process.chdir(before);
  }
}

const summary = '1 object checked by 1 policy with 1 binding: 1 denied';

test('policies of a revision, whatever lies in the folder now', async () => {
  await withFiles(
    {
      'policies/p.yaml': policy,
      'policies/readme.md': '#',
      'docs/readme.md': '#',
      'base/kustomization.yaml': 'resources: [c.yaml]',
      'base/c.yaml': configMap,
      'c.yaml': configMap,
    },
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
      const kustomized = await runIn(folder, ['check', '-p', 'main:policies/', '-r', 'main:base']);
      expect([kustomized.exitCode, kustomized.stderr]).toEqual([
        1,
        expect.stringContaining('main:base: warning: this revision holds a kustomization, which'),
      ]);
      const empty = await runIn(folder, ['check', '-p', 'main:policies/', '-r', 'main:docs']);
      expect(empty.stderr).toContain('main:docs: error: no manifests in this folder');
      expect(wrong.stderr).toContain(
        'old:policies/: error: there is no revision `old` in the repository',
      );
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

test('an archive that is a file is read as one of the web', async () => {
  await withFiles(
    {
      'policies/p.yaml': policy,
      'policies/x.txt': 'x',
      'base/kustomization.yaml': 'resources: [c.yaml]',
      'base/c.yaml': configMap,
      'none/a.txt': 'a',
      'c.yaml': configMap,
      'text.tgz': configMap,
    },
    async (folder) => {
      const pack = (...names: readonly string[]) =>
        execFileSync('tar', ['-czf', `${names[0]}.tgz`, ...names], { cwd: folder });
      pack('policies');
      pack('base');
      pack('none');
      const check = (...args: readonly string[]) => runIn(folder, ['check', ...args]);
      const plain = await check('-p', 'policies.tgz', 'c.yaml');
      expect([plain.exitCode, plain.stderr]).toEqual([1, '']);
      expect(plain.stdout).toContain(summary);
      const base = await check('-p', 'policies.tgz', 'base.tgz');
      expect(base.stdout).toContain('base.tgz!base/c.yaml');
      expect(base.stderr).toContain('a kustomization, which is not built');
      const none = await check('-p', 'policies.tgz', 'none.tgz');
      expect(none.stderr).toContain('none.tgz: error: no manifests in this archive');
      const text = await check('-p', 'policies.tgz', 'text.tgz');
      expect(text.stderr).toContain('text.tgz: error: this is no whole tar archive');
      const large = await check('--max-file-size', '10', 'policies.tgz');
      expect(large.stderr).toContain('policies.tgz: error: larger than 10 bytes');
      expect([base.exitCode, none.exitCode, text.exitCode, large.exitCode]).toEqual([1, 2, 2, 2]);
    },
  );
});

test('a packed chart is rendered where it is a file, and refused elsewhere', async () => {
  await withFiles({ ...chart, 'bin/helm': fakeHelm }, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const bytes = execFileSync('tar', ['-czf', '-', '-C', folder, 'shop']);
    writeFileSync(`${folder}/shop.tgz`, bytes);
    const args = ['check', '-p', 'p.yaml', '-r', 'shop.tgz', '--helm-values', 'v.yaml'];
    const rendered = await runIn(folder, args, `${folder}/bin`);
    expect([rendered.exitCode, rendered.stderr]).toEqual([1, '']);
    expect(rendered.stdout).toContain('shop.tgz (helm template)');
    const without = await runIn(folder, args, folder);
    expect(without.stderr).toContain('this is a chart, and there is no `helm` to render it');
    const host = await serve((_, response) => response.end(bytes));
    const far = await runIn(folder, ['check', '-p', 'p.yaml', `http://${host}/shop.tgz`]);
    expect(far.stderr).toContain('this is a chart, which is not rendered from there');
    expect([without.exitCode, far.exitCode]).toEqual([2, 2]);
  });
});

test('what an address leads to is read where that is as safe, whatever its name', async () => {
  await withFiles({ 'policies/p.yaml': policy, 'c.yaml': configMap }, async (folder) => {
    const bytes = archiveOf(folder);
    const leads: Readonly<Record<string, string>> = {
      '/there': '/tar.gz/main',
      '/away': 'http://example.com/p.yaml',
      '/round': '/round',
    };
    const host = await serve(({ url = '' }, response) => {
      const location = leads[url];
      if (location !== undefined) response.writeHead(302, { location }).end();
      else if (url === '/p.zip') response.end(Buffer.from('PK\x03\x04\xff', 'latin1'));
      else response.end(bytes);
    });
    const check = (address: string) =>
      runIn(folder, ['check', '-p', `http://${host}${address}`, 'c.yaml']);
    const there = await check('/there');
    expect([there.exitCode, there.stdout]).toEqual([1, expect.stringContaining(summary)]);
    expect((await check('/away')).stderr).toContain('leads to http://example.com/p.yaml, and only');
    expect((await check('/round')).stderr).toContain('to another more than 10 times');
    expect((await check('/p.zip')).stderr).toContain('not UTF-8 text but a zip archive');
  });
});

test('what is no archive, and addresses that are not safe, are errors', async () => {
  await withFiles({ 'c.yaml': configMap }, async (folder) => {
    const host = await serve((_, response) => response.end('x'.repeat(2000)));
    const check = (address: string) => runIn(folder, ['check', '-p', address, 'c.yaml']);
    expect((await check(`http://${host}/p.tar`)).stderr).toContain('this is no whole tar archive');
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

/** A registry that wants a password, by itself or for a token, or an identity token. */
async function servePrivate(layer: Uint8Array, asks: 'Basic' | 'Bearer'): Promise<string> {
  const digest = digestOf(layer);
  const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip';
  const manifest = JSON.stringify({ schemaVersion: 2, layers: [{ mediaType, digest }] });
  const known = `Basic ${Buffer.from('ann:pa55word').toString('base64')}`;
  return serve((request, response) => {
    const { url = '', headers, method } = request;
    if (url.startsWith('/token')) {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        const isGood =
          method === 'POST'
            ? /grant_type=refresh_token.*refresh_token=identity.*service=s/.test(body)
            : headers.authorization === known && url.includes('service=s');
        if (isGood) response.end('{"access_token": "t"}');
        else response.writeHead(401).end();
      });
    } else if (headers.authorization !== (asks === 'Basic' ? known : 'Bearer t')) {
      const realm =
        asks === 'Basic'
          ? 'Basic realm="r"'
          : `Bearer realm="http://${headers.host}/token",service="s"`;
      response.writeHead(401, { 'www-authenticate': realm }).end();
    } else if (url.includes('/manifests/')) response.end(manifest);
    else response.end(layer);
  });
}

const helper = (text: string, code = 0): string => `#!${process.execPath}
const host = require('node:fs').readFileSync(0, 'utf8');
process.stdout.write(${JSON.stringify(text)}.replace('HOST', host));
process.exitCode = process.argv[2] === 'get' ? ${code} : 3;
`;
const auth = Buffer.from('ann:pa55word').toString('base64');
const secret = '{"ServerURL":"HOST","Username":"ann","Secret":"pa55word"}';
const token = '{"Username":"<token>","Secret":"identity"}';

test.each([
  ['a password', 'Basic', { auths: { HOST: { auth } } }, '', summary],
  ['a password by an address', 'Basic', { auths: { 'https://HOST/v1/': { auth } } }, '', summary],
  ['a password for a token', 'Bearer', { auths: { HOST: { auth } } }, '', summary],
  [
    'an identity token',
    'Bearer',
    { auths: { HOST: { auth, identitytoken: 'identity' } } },
    '',
    summary,
  ],
  ['a helper', 'Basic', { credHelpers: { HOST: 'test' } }, helper(secret), summary],
  ['a store', 'Bearer', { auths: { HOST: {} }, credsStore: 'test' }, helper(secret), summary],
  ['a store with an identity token', 'Bearer', { credsStore: 'test' }, helper(token), summary],
  ['no password', 'Basic', {}, '', 'there is no password for it: `docker login HOST` keeps one'],
  ['no password for a token', 'Bearer', {}, '', 'gives no token (401): the registry wants to know'],
  [
    'a wrong password',
    'Basic',
    { auths: { HOST: { auth: 'YTpi' } } },
    '',
    'does not let in who is named in',
  ],
  [
    'a wrong password for a token',
    'Bearer',
    { auths: { HOST: { auth: 'YTpi' } } },
    '',
    'does not let in who is named in',
  ],
  [
    'a helper that has nothing',
    'Basic',
    { credsStore: 'test' },
    helper('credentials not found in native keychain', 1),
    'there is no password for it',
  ],
  [
    'a helper that fails',
    'Basic',
    { credsStore: 'test' },
    helper('the keychain is locked', 1),
    'ended with 1: the keychain is locked',
  ],
  [
    'a helper that says something else',
    'Basic',
    { credsStore: 'test' },
    helper('{}'),
    'gives no name and secret',
  ],
  [
    'a helper that there is not',
    'Basic',
    { credsStore: 'none' },
    '',
    'there is no `docker-credential-none`',
  ],
  ['a helper elsewhere', 'Basic', { credsStore: '../../x' }, '', 'is no name of a program'],
  ['a file that is broken', 'Basic', 'x', '', 'config.json is no JSON object'],
] as const)(
  'a registry that wants a password, with %s',
  async (_, asks, config, program, expected) => {
    await withFiles(
      { 'policies/p.yaml': policy, 'c.yaml': configMap, 'bin/docker-credential-test': program },
      async (folder) => {
        chmodSync(`${folder}/bin/docker-credential-test`, 0o755);
        const host = await servePrivate(archiveOf(folder), asks);
        const text = typeof config === 'string' ? config : JSON.stringify(config);
        writeFileSync(`${folder}/config.json`, text.replace('HOST', host));
        const args = ['check', '-p', `oci://${host}/team/policies`, 'c.yaml'];
        const path = program === '' ? `${folder}/none` : `${folder}/bin`;
        const { stdout, stderr } = await runIn(folder, args, path, { DOCKER_CONFIG: folder });
        expect(stdout + stderr).toContain(expected.replace('HOST', host));
        expect(stdout + stderr).not.toContain('pa55word');
      },
    );
  },
);

const file = (name: string, text = policy) => ({
  header: { name, size: Buffer.byteLength(text), type: 'file' as const },
  body: text,
});

test('archives that mean harm are read as what they are, or refused', async () => {
  const whole = await packTar([
    file('./a/p.yaml'),
    file('../../etc/passwd.yaml', 'x'),
    { header: { name: 'link.yaml', size: 0, type: 'symlink', linkname: '/etc/passwd' } },
    { header: { name: 'device.yaml', size: 0, type: 'character-device' } },
  ]);
  const limit = 100_000;
  const files = await readArchive(whole, limit);
  // Nothing of it is followed or written, and hidden folders such as `..` are passed over as everywhere.
  expect(files.map(({ name }) => name)).toEqual(['a/p.yaml', '../../etc/passwd.yaml']);
  const spoilt = Uint8Array.from(whole);
  spoilt[0] = 1;
  const bomb = gzipSync(new Uint8Array(limit * 50));
  for (const [bytes, complaint] of [
    [whole.subarray(0, 600), 'no whole tar archive'],
    [whole.subarray(0, 1024), 'no whole tar archive'],
    [spoilt, 'no whole tar archive'],
    [new Uint8Array(0), 'no whole tar archive'],
    [new Uint8Array(1024), 'the archive is empty'],
    [bomb, `holds more than ${limit} bytes`],
    [bomb.subarray(0, 50), 'the archive is no gzip'],
  ] as const) {
    await expect(readArchive(bytes, limit)).rejects.toThrow(complaint);
  }
});
