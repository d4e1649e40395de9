import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../src/index.ts';

function inFolder(): (name: string) => string {
  const folder = folderUntil(onTestFinished, {});
  return (name) => join(folder, name);
}

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o777;
}

describe('a file with a secret is written for its owner alone', () => {
  test('where nothing has its name', () => {
    const at = inFolder();
    replaceFile(at('key'), 'secret', 0o600);
    expect(modeOf(at('key'))).toBe(0o600);
  });

  test('where a file that others may read has its name', () => {
    const at = inFolder();
    writeFileSync(at('key'), 'old', { mode: 0o666 });
    replaceFile(at('key'), 'secret', 0o600);
    expect([modeOf(at('key')), readFileSync(at('key'), 'utf8')]).toEqual([0o600, 'secret']);
  });

  test('where a link to a file of another user has its name', () => {
    const at = inFolder();
    writeFileSync(at('other'), 'other', { mode: 0o666 });
    symlinkSync(at('other'), at('key'));
    replaceFile(at('key'), 'secret', 0o600);
    expect(readFileSync(at('other'), 'utf8')).toBe('other');
    expect(lstatSync(at('key')).isSymbolicLink()).toBe(false);
    expect(modeOf(at('key'))).toBe(0o600);
  });

  test('where a link to nothing has its name', () => {
    const at = inFolder();
    symlinkSync(at('other'), at('key'));
    replaceFile(at('key'), 'secret', 0o600);
    expect(existsSync(at('other'))).toBe(false);
    expect(modeOf(at('key'))).toBe(0o600);
  });

  test('where a hard link has its name', () => {
    const at = inFolder();
    writeFileSync(at('other'), 'other', { mode: 0o666 });
    linkSync(at('other'), at('key'));
    replaceFile(at('key'), 'secret', 0o600);
    expect(readFileSync(at('other'), 'utf8')).toBe('other');
    expect(statSync(at('key')).ino).not.toBe(statSync(at('other')).ino);
  });
});

test('a file gets its permissions whatever the umask is', () => {
  const at = inFolder();
  replaceFile(at('file'), 'text', 0o666);
  expect(modeOf(at('file'))).toBe(0o666);
});

test('a device is written to and stays a device', () => {
  replaceFile('/dev/null', 'text', 0o600);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('a pipe is written to', () => {
  const at = inFolder();
  execFileSync('sh', ['-c', `mkfifo '${at('pipe')}'`]);
  const script = `exec cat '${at('pipe')}' > '${at('read')}'`;
  execFileSync('sh', ['-c', `(${script}) & echo started`], { stdio: 'ignore' });
  replaceFile(at('pipe'), 'text', 0o600);
  expect(statSync(at('pipe')).isFIFO()).toBe(true);
});

test('a failure leaves nothing behind', () => {
  const at = inFolder();
  mkdirSync(at('folder'));
  expect(() => replaceFile(at('folder'), 'text', 0o600)).toThrow('EISDIR');
  expect(readdirSync(at('.'))).toEqual(['folder']);
});
