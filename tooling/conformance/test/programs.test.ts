import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../', import.meta.url));

function start(program: string, args: readonly string[], cases: readonly object[]) {
  const { status, stdout, stderr } = spawnSync(
    'node_modules/.bin/tsx',
    [`src/${program}.ts`, ...args],
    {
      cwd: FOLDER,
      encoding: 'utf8',
      input: cases.map((line) => `${JSON.stringify(line)}\n`).join(''),
      env: {
        ...process.env,
        ORACLE: 'test/programs/fake-oracle.js',
        KUBEADMIT: 'test/programs/fake-kubeadmit.js',
      },
    },
  );
  return { status, stdout, errors: stderr.trimEnd().split('\n') };
}

describe('record', () => {
  test('writes each case with its answer', () => {
    const cases = [
      { id: 'a', expression: '1+1', result: 'old' },
      { id: 'b', expression: '' },
    ];
    expect(start('record', ['eval', '-'], cases)).toEqual({
      status: 0,
      stdout:
        '{"id":"a","expression":"1+1","result":"3"}\n{"id":"b","expression":"","result":"0"}\n',
      errors: ['2 recorded, 0 left out'],
    });
  });

  test('leaves out unstable, refused and duplicate cases', () => {
    const cases = [
      { id: 'a', expression: 'random' },
      { id: 'b', expression: 'fail' },
      { id: 'b', expression: '1' },
      { expression: '1' },
    ];
    const { status, stdout, errors } = start('record', ['eval', '-'], cases);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(errors.filter((line) => /^\S/.test(line))).toEqual([
      'left out a: unstable',
      'left out b: failure: "no answer"',
      'left out b: no identifier of its own',
      'left out : no identifier of its own',
      '0 recorded, 4 left out',
    ]);
  });

  test('names the expected argument in errors', () => {
    const { status, errors } = start('record', ['nothing', '-'], []);
    expect(status).toBe(2);
    expect(errors[0]).toMatch(/^usage: ORACLE=program pnpm record/);
  });
});

describe('compare', () => {
  test('prints the cases that differ, as small as they go', () => {
    const cases = [
      { id: 'a', expression: 'one' },
      { id: 'b', expression: 'twelve x twelve', variables: { y: 1 } },
      { id: 'c', expression: 'random' },
      { id: 'd', expression: 'fail' },
      { id: 'e', expression: 'two maps' },
    ];
    expect(start('compare', ['eval', '-', '--shrink'], cases)).toEqual({
      status: 1,
      stdout: '{"id":"b","expression":"x twelve"}\n  result\n    expected "8"\n    actual   "9"\n',
      errors: ['5 compared: 1 equal, 1 different, 1 unstable, 1 varying, 1 refused by the oracle'],
    });
  });

  test('runs another case between repeats', () => {
    expect(start('compare', ['eval', '-'], [{ id: 'a', expression: 'kept' }])).toEqual({
      status: 0,
      stdout: '',
      errors: ['1 compared: 0 equal, 0 different, 1 unstable, 0 varying, 0 refused by the oracle'],
    });
  });
});
