import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { answer, type CaseFile } from './case.ts';

const folder = new URL('cases/', import.meta.url);

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [name, parse(readFileSync(new URL(name, folder), 'utf8')) as CaseFile] as const);

describe.each(files)('%s', (_name, file) => {
  test.each(file.cases)('$name', async (each) => {
    expect(await answer(each, file)).toEqual(each.gives);
  });
});

test('there are as many cases as were promised', () => {
  expect(files.reduce((sum, [, { cases }]) => sum + cases.length, 0)).toBeGreaterThanOrEqual(300);
});
