import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  answerCase,
  answerLine,
  isMachineCommand,
  loadAnswerer,
  loadPreparer,
  machineCommands,
} from '../src/index.ts';

interface Line {
  readonly in: string;
  readonly out: string;
}

const file = new URL('cases.yaml', import.meta.url);
const table = parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly Line[]>>;
const dayAfter = { clock: () => 86_400_000 };

test('every command has cases', () => {
  expect(Object.keys(table).sort()).toEqual([...machineCommands].sort());
  expect(isMachineCommand('constructor')).toBe(false);
});

describe.each(machineCommands)('%s', async (command) => {
  const answer = await loadAnswerer(command, dayAfter);
  test.each(table[command] ?? [])('$in', async (line) => {
    expect(await answerLine(line.in, answer)).toBe(line.out);
  });
});

test('a case is an object, too', async () => {
  const answer = await loadAnswerer('eval', dayAfter);
  expect(await answerCase({ id: [1], expression: '1 < 2' }, answer)).toMatchObject({
    id: [1],
    result: 'true',
  });
  expect(await answerCase({ expression: 3 }, answer)).toEqual({
    id: null,
    failure: 'not a case: `expression` must be a string',
  });
});

test('benchmarked functions return the same answer each time', async () => {
  const prepare = await loadPreparer('kyverno-conditions', dayAfter);
  const run = await prepare({ conditions: [{ key: 1, operator: 'Equals', value: 1 }] });
  expect([run(), run()]).toEqual([{ result: true }, { result: true }]);
  const prepareEval = await loadPreparer('eval', dayAfter);
  expect(() => prepareEval({ expression: '1 +' })).toThrow('Syntax error');
});
