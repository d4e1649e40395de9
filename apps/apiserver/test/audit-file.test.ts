import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AuditFile } from '../src/operation/audit-file.ts';

const megabyte = 2 ** 20;
const line = `${'x'.repeat(megabyte * 0.6)}\n`;
const old = (date: string): string => `audit-${date}T00-00-00.000.log`;

function folder(): string {
  return folderUntil(onTestFinished);
}

test('makes an existing file readable by its owner only', () => {
  const path = join(folder(), 'audit.log');
  writeFileSync(path, 'before\n');
  chmodSync(path, 0o644);
  const file = new AuditFile({ path, level: 'Metadata' });
  file.write('after\n');
  file.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe('before\nafter\n');
});

test('renames a file that would become too large to a name with the time', () => {
  const where = folder();
  const path = join(where, 'audit.log');
  writeFileSync(path, line);
  const file = new AuditFile({ path, level: 'Metadata', maxSize: 1 });
  file.write(line);
  file.write('small\n');
  file.close();
  const [backup = '', ...others] = readdirSync(where).sort();
  expect(others).toEqual(['audit.log']);
  expect(backup).toMatch(/^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log$/);
  expect(readFileSync(join(where, backup), 'utf8')).toBe(line);
  expect(readFileSync(path, 'utf8')).toBe(`${line}small\n`);
  for (const name of [backup, 'audit.log']) {
    expect(statSync(join(where, name)).mode & 0o777).toBe(0o600);
  }
});

test.each([
  { maxBackups: 2, maxAge: 0, kept: 1 },
  { maxBackups: 0, maxAge: 366, kept: 0 },
  { maxBackups: 0, maxAge: 0, kept: 3 },
])('of three old files $kept remain with %o', ({ maxBackups, maxAge, kept }) => {
  const where = folder();
  const names = ['2020-01-01', '2021-01-01', '2022-01-01'].map(old);
  for (const name of [...names, 'audit-notes.log', 'other.log']) {
    writeFileSync(join(where, name), '');
  }
  const path = join(where, 'audit.log');
  const file = new AuditFile({ path, level: 'Metadata', maxSize: 1, maxBackups, maxAge });
  file.write(line);
  file.write(line);
  file.close();
  const left = readdirSync(where);
  expect(left.filter((name) => names.includes(name))).toEqual(kept === 0 ? [] : names.slice(-kept));
  expect(left).toEqual(expect.arrayContaining(['audit-notes.log', 'other.log', 'audit.log']));
});

test('a failed rotation is reported, and events are still accepted', () => {
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => errors.mockRestore());
  const where = join(folder(), 'logs');
  mkdirSync(where);
  const file = new AuditFile({ path: join(where, 'audit.log'), level: 'Metadata', maxSize: 1 });
  file.write(line);
  rmSync(where, { recursive: true });
  file.write(line);
  mkdirSync(where);
  file.write(line);
  file.close();
  expect(errors.mock.calls).toEqual([
    ['error: the audit log cannot be rotated: no such file or directory\n'],
  ]);
  expect(readFileSync(join(where, 'audit.log'), 'utf8')).toBe(line);
});
