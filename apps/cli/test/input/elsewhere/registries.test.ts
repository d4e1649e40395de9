import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';
import { listen, withFiles } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { archiveOf, configMap, digestOf, policy, runIn, serve, summary } from './kit.ts';

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
    expect((await check(':v1')).stderr).toContain('@sha256:… pins it');
    expect((await check(':v2')).stderr).toContain('is 404');
    stored = Buffer.from(readFileSync(`${folder}/c.yaml`));
    expect((await check(':v1')).stderr).toContain('digest mismatch');
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
  ['no password', 'Basic', {}, '', 'the registry requires credentials; run `docker login HOST`'],
  [
    'no password for a token',
    'Bearer',
    {},
    '',
    'returned no token (401): the registry requires credentials',
  ],
  [
    'a wrong password',
    'Basic',
    { auths: { HOST: { auth: 'YTpi' } } },
    '',
    'rejects the credentials in',
  ],
  [
    'a wrong password for a token',
    'Bearer',
    { auths: { HOST: { auth: 'YTpi' } } },
    '',
    'rejects the credentials in',
  ],
  [
    'a helper that has nothing',
    'Basic',
    { credsStore: 'test' },
    helper('credentials not found in native keychain', 1),
    'the registry requires credentials',
  ],
  [
    'a helper that fails',
    'Basic',
    { credsStore: 'test' },
    helper('the keychain is locked', 1),
    'failed with exit code 1: the keychain is locked',
  ],
  [
    'a helper that says something else',
    'Basic',
    { credsStore: 'test' },
    helper('{}'),
    'returned no user name and secret',
  ],
  [
    'a helper that there is not',
    'Basic',
    { credsStore: 'none' },
    '',
    '`docker-credential-none` is not installed',
  ],
  ['a helper elsewhere', 'Basic', { credsStore: '../../x' }, '', 'is not a valid program name'],
  ['a file that is broken', 'Basic', 'x', '', 'config.json is not a JSON object'],
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

test('an identity token is not sent to where the token address redirects to', async () => {
  const files = { 'policies/p.yaml': policy, 'c.yaml': configMap };
  await withFiles(files, async (folder) => {
    const stolen: string[] = [];
    const thief = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => stolen.push(chunk.toString()));
      request.on('end', () => response.end('{"token": "t"}'));
    });
    const elsewhere = `http://127.0.0.1:${await listen(thief)}/token`;
    onTestFinished(() => void thief.close());
    const host: string = await serve((request, response) => {
      if (request.url?.startsWith('/token') === true) {
        response.writeHead(307, { location: elsewhere }).end();
        return;
      }
      const realm = `Bearer realm="http://${request.headers.host}/token",service="s"`;
      response.writeHead(401, { 'www-authenticate': realm }).end();
    });
    const config = { auths: { [host]: { auth, identitytoken: 'identity' } } };
    writeFileSync(`${folder}/config.json`, JSON.stringify(config));
    const args = ['check', '-p', `oci://${host}/team/policies`, 'c.yaml'];
    const { stderr } = await runIn(folder, args, undefined, { DOCKER_CONFIG: folder });
    expect(stolen).toEqual([]);
    expect(stderr).toContain('redirects of requests with credentials are not followed');
  });
});

/** Text that no compression makes smaller. */
const noise = randomBytes(3000).toString('base64');

test.each([
  [
    'layers without end',
    (digest: string) => Array.from({ length: 2000 }, () => digest),
    'more than 1000 layers',
  ],
  [
    'large layers',
    (digest: string) => Array.from({ length: 900 }, () => digest),
    'the layers have more than 400000 bytes',
  ],
  [
    'a digest that is a path',
    () => ['sha256:../../../../token'],
    'expected an artifact with layers',
  ],
])('an artifact with %s is refused', async (_, digestsOf, expected) => {
  await withFiles({ 'policies/x.txt': noise, 'c.yaml': configMap }, async (folder) => {
    const layer = archiveOf(folder);
    const layers = digestsOf(digestOf(layer)).map((digest) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      digest,
    }));
    let requests = 0;
    const host = await serve(({ url = '' }, response) => {
      requests++;
      response.end(url.includes('/manifests/') ? JSON.stringify({ layers }) : layer);
    });
    const args = ['check', '--max-file-size', '400000', '-p', `oci://${host}/p`, 'c.yaml'];
    const { exitCode, stderr } = await runIn(folder, args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(expected)]);
    expect(requests).toBeLessThan(500);
  });
});
