import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, expect, test } from 'vitest';
import { readText } from '../src/index.ts';

const root = folderUntil(afterAll);

function file(name: string, text: string): string {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
}

test('reads files of any size up to the limit', () => {
  for (const text of ['', 'a', 'b'.repeat(200_000)]) {
    expect(readText(file('a.yaml', text), { maxSize: 200_000 })).toBe(text);
  }
});

test('refuses a larger file, and names the option with the limit', () => {
  const path = file('large.yaml', '12345');
  expect(() => readText(path, { maxSize: 4 })).toThrow('larger than 4 bytes');
  expect(() => readText(path, { maxSize: 4, sizeOption: '--max-file-size' })).toThrow(
    'larger than 4 bytes (--max-file-size)',
  );
});

test('stops reading a device without an end at the limit', () => {
  expect(() => readText('/dev/zero', { maxSize: 1_000_000 })).toThrow('larger than 1000000 bytes');
  expect(() => readText('/dev/zero')).toThrow('larger than 128Mi');
});

test.runIf(process.platform === 'linux')('reads a file whose size the system reports as 0', () => {
  expect(readText('/proc/self/status')).toContain('Pid:');
});

test('refuses devices where a regular file is required', () => {
  expect(() => readText('/dev/zero', { regularOnly: true })).toThrow('not a regular file');
  expect(readText('/dev/null')).toBe('');
});

const onUnix = test.runIf(process.platform !== 'win32');

function pipe(name: string): string {
  const path = join(root, name);
  execFileSync('mkfifo', [path]);
  return path;
}

onUnix('refuses a pipe that nothing writes to', () => {
  const path = pipe('unused.yaml');
  expect(() => readText(path, { writerTimeout: 50 })).toThrow(
    'nothing was written to the pipe within 0.05 seconds',
  );
  expect(() => readText(path, { regularOnly: true })).toThrow('not a regular file');
});

onUnix('reads a pipe whose writer comes later and writes slowly', () => {
  const path = pipe('slow.yaml');
  spawn('sh', ['-c', `sleep 0.2; { printf a; sleep 0.2; printf b; } > '${path}'`]);
  expect(readText(path)).toBe('ab');
});

onUnix('stops reading a pipe at the limit', () => {
  const path = pipe('endless.yaml');
  const writer = spawn('sh', ['-c', `exec cat /dev/zero > '${path}'`]);
  expect(() => readText(path, { maxSize: 200_000 })).toThrow('larger than 200000 bytes');
  writer.kill();
});
