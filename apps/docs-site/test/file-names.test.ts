import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { packFiles, unpackFiles } from '../src/playground/archive.ts';
import { plainFileName, withPlainNames } from '../src/playground/file-names.ts';

describe('file names', () => {
  test.each([
    ['policies/pod.yaml', 'policies/pod.yaml'],
    ['ü/b c.cel', 'ü/b c.cel'],
    ['../../etc/passwd', 'etc/passwd.yaml'],
    ['/etc/passwd', 'etc/passwd.yaml'],
    ['..\\..\\windows\\x.yaml', 'windows/x.yaml'],
    ['a/./b/../c.yaml', 'a/b/c.yaml'],
    ['a\nb\r\u2028c\u202e.yaml', 'abc.yaml'],
    ['..', 'file.yaml'],
    ['', 'file.yaml'],
    ['...', 'file.yaml'],
    ['.git/config', 'git/config.yaml'],
    ['. .git/hooks/x.yaml', 'git/hooks/x.yaml'],
    ['.\u200bGIT/config', 'GIT/config.yaml'],
    ['HEAD', 'HEAD.yaml'],
    ['refs/x', 'refs/x.yaml'],
    ['C:\\a.yaml:stream', 'C/a.yaml/stream.yaml'],
    ['CON.yaml', '_CON.yaml'],
    ['a/aux./nul', 'a/_aux/_nul.yaml'],
    ['console.yaml', 'console.yaml'],
    ['a?*|<b>"c".yaml', 'a____b__c_.yaml'],
    [`${'a'.repeat(50)}.git/${'x'.repeat(190)}.yaml`, `git/${'x'.repeat(190)}.yaml`],
    [`${'x'.repeat(300)}.yaml`, `${'x'.repeat(195)}.yaml`],
  ])('%j becomes %j', (name, plain) => {
    expect(plainFileName(name)).toBe(plain);
    expect(plainFileName(plain)).toBe(plain);
  });

  test('with many spaces and dots are read in linear time', () => {
    expect(plainFileName(`a${' .'.repeat(400_000)}b.yaml`)).toMatch(/b\.yaml$/);
  });

  test('that become the same name get numbers', () => {
    const files = { 'a.yaml': '1', '../a.yaml': '2', '/a.yaml': '3', constructor: '4' };
    expect(withPlainNames(files)).toEqual({
      'a.yaml': '1',
      'a-2.yaml': '2',
      'a-3.yaml': '3',
      'constructor.yaml': '4',
    });
  });

  test('that differ in case only get numbers', () => {
    const files = { 'a.yaml': '1', 'A.yaml': '2', 'a-2.yaml': '3' };
    expect(withPlainNames(files)).toEqual({ 'a.yaml': '1', 'A-2.yaml': '2', 'a-2-2.yaml': '3' });
  });
});

describe('an archive', () => {
  test('holds no file outside of its folder', () => {
    const files = { '../../.bashrc': 'x', 'a.yaml': 'y' };
    expect(Object.keys(unzipSync(packFiles(files, 'folder')))).toEqual([
      'folder/bashrc.yaml',
      'folder/a.yaml',
    ]);
  });

  // git runs commands that `.git/config` names, or `config` beside `HEAD`, `objects` and `refs`.
  test('holds no repository', () => {
    const names = ['HEAD', 'config', 'objects/x', 'refs/x'];
    const all = [...names, ...names.map((name) => `.git/${name}`)];
    const packed = packFiles(Object.fromEntries(all.map((name) => [name, 'x'])), 'folder');
    for (const name of Object.keys(unzipSync(packed))) {
      expect(name).toMatch(/^folder\/[^.].*\.yaml$/);
      expect(name).not.toContain('/.');
    }
  });

  test('is unpacked under plain names', () => {
    const packed = zipSync({ '../a.yaml': strToU8('x'), 'b/c.yaml': strToU8('y') });
    expect(unpackFiles(packed)).toEqual({ 'a.yaml': 'x', 'b/c.yaml': 'y' });
  });

  test('that would unpack to more than the limit of the page is refused', () => {
    const packed = zipSync({ 'a.yaml': new Uint8Array(30_000_000) });
    expect(packed.length).toBeLessThan(100_000);
    expect(() => unpackFiles(packed)).toThrow('the archive unpacks to more than 20 MB');
  });

  test('with a false size unpacks at most the declared size', () => {
    const packed = zipSync({ 'a.yaml': strToU8('x'.repeat(1_000_000)) });
    const directory = packed.findLastIndex(
      (byte, at) => byte === 0x50 && packed[at + 1] === 0x4b && packed[at + 2] === 1,
    );
    new DataView(packed.buffer).setUint32(directory + 24, 10, true);
    let length = 0;
    try {
      length = (unpackFiles(packed)['a.yaml'] ?? '').length;
    } catch {
      // Refusing it is as good.
    }
    expect(length).toBeLessThanOrEqual(10);
  });

  test('with too many files is refused', () => {
    const files = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, i) => [`${i}.yaml`, new Uint8Array(1)]),
    );
    expect(() => unpackFiles(zipSync(files))).toThrow('the archive has more than 1000 files');
  });
});
