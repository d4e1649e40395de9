import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { withFiles } from '@kubeadmit/test-support';
import { packTar } from 'modern-tar';
import { expect, test } from 'vitest';
import { readArchive } from '../../../src/input/elsewhere/archive.ts';
import { archiveOf, configMap, deep, digestOf, policy, runIn, serve, summary } from './kit.ts';

test('checks an archive from the web against its digest', async () => {
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
      expect([loose.exitCode, loose.stderr]).toEqual([
        1,
        expect.stringContaining('the content may change'),
      ]);
      const other = await check(`/p.tgz#sha256:${'0'.repeat(64)}`);
      expect(other.stderr).toContain('digest mismatch');
      const missing = await check('/none.tgz');
      expect(missing.stderr).toContain('error: the response is 404');
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
      expect(base.stderr).toContain('a kustomization that is not built');
      const none = await check('-p', 'policies.tgz', 'none.tgz');
      expect(none.stderr).toContain('none.tgz: error: no manifests in this archive');
      const text = await check('-p', 'policies.tgz', 'text.tgz');
      expect(text.stderr).toContain('text.tgz: error: this is not a complete tar archive');
      const large = await check('--max-file-size', '10', 'policies.tgz');
      expect(large.stderr).toContain('policies.tgz: error: larger than 10 bytes');
      expect([base.exitCode, none.exitCode, text.exitCode, large.exitCode]).toEqual([1, 2, 2, 2]);
    },
  );
});

test('reads content by its type, whatever the name in the address', async () => {
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
    expect((await check('/away')).stderr).toContain(
      'redirected to http://example.com/p.yaml; only https:// URLs',
    );
    expect((await check('/round')).stderr).toContain('redirected more than 10 times');
    expect((await check('/p.zip')).stderr).toContain('not UTF-8 text (it is a zip archive');
  });
});

test('reports files that are not archives, and unsafe URLs', async () => {
  await withFiles({ 'c.yaml': configMap }, async (folder) => {
    const host = await serve((_, response) => response.end('x'.repeat(2000)));
    const check = (address: string) => runIn(folder, ['check', '-p', address, 'c.yaml']);
    expect((await check(`http://${host}/p.tar`)).stderr).toContain(
      'this is not a complete tar archive',
    );
    expect((await check('http://example.com/p.yaml')).stderr).toContain(
      'only https:// URLs are allowed',
    );
    expect((await check('oci://Bad Name')).stderr).toContain('invalid reference; expected oci://');
  });
});

const file = (name: string, text = policy) => ({
  header: { name, size: Buffer.byteLength(text), type: 'file' as const },
  body: text,
});

test('rejects malicious archives, or reads them safely', async () => {
  const whole = await packTar([
    file('./a/p.yaml'),
    file('../../etc/passwd.yaml', 'x'),
    { header: { name: 'link.yaml', size: 0, type: 'symlink', linkname: '/etc/passwd' } },
    { header: { name: 'device.yaml', size: 0, type: 'character-device' } },
  ]);
  const limit = 100_000;
  const files = await readArchive(whole, limit);
  // Reading neither follows links nor writes files; hidden folders such as `..` are skipped later, like everywhere.
  expect(files.map(({ name }) => name)).toEqual(['a/p.yaml', '../../etc/passwd.yaml', 'link.yaml']);
  const spoilt = Uint8Array.from(whole);
  spoilt[0] = 1;
  const bomb = gzipSync(new Uint8Array(limit * 50));
  for (const [bytes, complaint] of [
    [whole.subarray(0, 600), 'not a complete tar archive'],
    [whole.subarray(0, 1024), 'not a complete tar archive'],
    [spoilt, 'not a complete tar archive'],
    [new Uint8Array(0), 'not a complete tar archive'],
    [new Uint8Array(1024), 'the archive is empty'],
    [bomb, `contains more than ${limit} bytes`],
    [bomb.subarray(0, 50), 'invalid gzip archive'],
  ] as const) {
    await expect(readArchive(bytes, limit)).rejects.toThrow(complaint);
  }
});

test('manifests of an archive that are not read for their names are named', async () => {
  const names = ['a/p.yaml', '../../p.yaml', '.hidden/p.yaml', 'a/p.YAML', 'a/p.admit.yaml'];
  const packed = await packTar([
    ...names.map((name) => file(name)),
    file('a/inner.tgz', 'a'),
    file('.github/a.yml', 'on: x'),
  ]);
  await withFiles({ 'c.yaml': configMap }, async (folder) => {
    writeFileSync(`${folder}/p.tar`, packed);
    const { exitCode, stdout, stderr } = await runIn(folder, ['check', '-p', 'p.tar', 'c.yaml']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      '5 files with manifests skipped: p.tar!../../p.yaml, p.tar!.hidden/p.yaml',
    );
    expect(stderr).toContain(
      'p.tar!../../p.yaml: warning: skipped: its path leads outside the archive',
    );
    expect(stderr).toContain(
      'p.tar!a/p.YAML: warning: skipped: its extension is not in lower case',
    );
    expect(stderr).toContain(
      'p.tar!a/inner.tgz: warning: skipped: archives in archives are not read',
    );
    const strict = await runIn(folder, [
      'check',
      '--strict',
      '--exit-zero',
      '-p',
      'p.tar',
      'c.yaml',
    ]);
    expect(strict.exitCode).toBe(2);
  });
});

test('links of an archive are reported, since their manifests are missing', async () => {
  const header = { type: 'symlink', size: 0 } as const;
  const archive = await packTar([
    { header: { name: 'm/good.yaml', size: configMap.length, type: 'file' }, body: configMap },
    { header: { name: 'm/data.txt', size: 1, type: 'file' }, body: 'a' },
    { header: { ...header, name: 'm/soft.yaml', linkname: 'data.txt' } },
    { header: { ...header, name: 'm/hard.yaml', linkname: 'm/data.txt', type: 'link' } },
    { header: { ...header, name: 'm/sub', linkname: '../other' } },
    { header: { ...header, name: 'm/readme', linkname: 'data.txt' } },
  ]);
  await withFiles({ 'p.yaml': policy }, async (folder) => {
    writeFileSync(`${folder}/a.tar`, archive);
    const { stderr } = await runIn(folder, ['check', '--strict', 'p.yaml', 'a.tar']);
    expect(stderr).toContain(
      'error: --strict: 3 files with manifests skipped: a.tar!m/soft.yaml, a.tar!m/hard.yaml, a.tar!m/sub\n',
    );
    expect(stderr).toContain('links in archives are not followed');
  });
});

test('a name that ends early for other programs makes an archive invalid', async () => {
  const name = 'm/evil.yaml\0.txt';
  const archive = await packTar([
    { header: { name: 'a.txt', size: 1, type: 'file', pax: { path: name } }, body: 'a' },
  ]);
  await expect(readArchive(archive, 2 ** 20)).rejects.toThrow('contains NUL');
});
