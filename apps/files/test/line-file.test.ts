import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, expect, test } from 'vitest';
import { LineFile } from '../src/index.ts';

const folder = folderUntil(afterAll);

test('lines are in the file before the next one is written', () => {
  const path = join(folder, 'log');
  const descriptor = openSync(path, 'a');
  const told: string[] = [];
  const file = new LineFile(descriptor, 'the log', (text) => told.push(text));
  file.write('a\n');
  expect(readFileSync(path, 'utf8')).toBe('a\n');
  file.write('grüße\n');
  closeSync(descriptor);
  expect(readFileSync(path, 'utf8')).toBe('a\ngrüße\n');
  expect([told, file.problem]).toEqual([[], '']);
});

test('reports a full disk once, and its end with the number of lost lines', () => {
  const path = join(folder, 'full');
  const told: string[] = [];
  // The number of the descriptor stays, and its file changes.
  const full = openSync('/dev/full', 'w');
  const file = new LineFile(full, 'the log', (text) => told.push(text));
  file.write('a\n');
  file.write('b\n');
  expect(file.problem).toBe('no space left on the device');
  expect(told).toEqual([
    'the log cannot be written, so its lines are lost: no space left on the device',
  ]);
  closeSync(full);
  expect(openSync(path, 'a')).toBe(full);
  file.write('c\n');
  closeSync(full);
  expect(told.slice(1)).toEqual(['the log can be written again; lost lines: 2']);
  expect([file.problem, readFileSync(path, 'utf8')]).toEqual(['', 'c\n']);
});
