import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  folderUntil,
  freePort,
  listen,
  readLines,
  runProgram,
  stopProgram,
  withFiles,
} from '../src/index.ts';

describe('folders', () => {
  test('contain the given files, and are deleted at the end', () => {
    const ends: (() => void)[] = [];
    const folder = folderUntil((end) => ends.push(end), { 'a/b.txt': 'b' });
    expect(readFileSync(join(folder, 'a/b.txt'), 'utf8')).toBe('b');
    for (const end of ends) end();
    expect(existsSync(folder)).toBe(false);
  });

  test('are gone where their use fails', async () => {
    let seen = '';
    const use = withFiles({ a: new Uint8Array([255]) }, (folder) => {
      seen = folder;
      expect([...readFileSync(join(folder, 'a'))]).toEqual([255]);
      throw new Error('no');
    });
    await expect(use).rejects.toThrow('no');
    expect(existsSync(seen)).toBe(false);
  });
});

test('lines are read as JSON, or as their reader says', () => {
  const folder = folderUntil(onTestFinished, { 'cases.ndjson': '{"a":1}\n\n{"a":2}\n' });
  const file = join(folder, 'cases.ndjson');
  expect(readLines(file)).toEqual([{ a: 1 }, { a: 2 }]);
  expect(readLines(file, (line) => line.length)).toEqual([7, 7]);
  writeFileSync(file, '\n');
  expect(() => readLines(file)).toThrow('cases.ndjson has no lines');
});

describe('programs', () => {
  const echo = 'process.stdin.pipe(process.stdout);console.error(process.env.A);process.exitCode=3';

  test('receive standard input, and return their output', async () => {
    const ended = await runProgram(process.execPath, ['-e', echo], { stdin: 'ü', env: { A: 'a' } });
    expect(ended).toEqual({ exitCode: 3, stdout: 'ü', stderr: 'a\n' });
  });

  test('may end before they have read their input', async () => {
    const ended = await runProgram(process.execPath, ['-e', ''], { stdin: 'x'.repeat(2 ** 20) });
    expect(ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('that do not exist are an error', async () => {
    await expect(runProgram('/nowhere', [])).rejects.toThrow('ENOENT');
  });

  test('are stopped, once', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await stopProgram(child);
    expect(child.signalCode).toBe('SIGTERM');
    await stopProgram(child);
  });
});

describe('servers', () => {
  test('listen at separate ports', async () => {
    const server = createServer((_, response) => response.end('here'));
    onTestFinished(() => void server.close());
    const answer = await fetch(`http://127.0.0.1:${await listen(server)}`);
    expect(await answer.text()).toBe('here');
  });

  test('do not listen at a free port', async () => {
    const socket = connect({ host: '127.0.0.1', port: await freePort() });
    const code = await new Promise((resolve) =>
      socket.once('error', ({ code: told }: NodeJS.ErrnoException) => resolve(told)),
    );
    expect(code).toBe('ECONNREFUSED');
  });
});
