import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Run, runCase } from '../runs.ts';
import { runHere } from '../terminal.ts';

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url));
const schema = fileURLToPath(new URL('../../schema/explain.schema.json', import.meta.url));
const validate = new Ajv({ strict: true, strictTypes: false, allErrors: true }).compile(
  JSON.parse(readFileSync(schema, 'utf8')),
);
const folders = readdirSync(examples, { withFileTypes: true }).filter((each) => each.isDirectory());

test.each(folders.map(({ name }) => name))('%s fits the schema', async (name) => {
  const { stdout } = await runHere(['explain', '-o', 'json', examples + name]);
  const document: unknown = JSON.parse(stdout);
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  expect((document as { readonly results: unknown[] }).results).not.toEqual([]);
});

const runs = parse(
  readFileSync(new URL('../cases/runs/explain-kyverno.yaml', import.meta.url), 'utf8'),
) as readonly Run[];

test('rules of Kyverno fit the schema, whatever they ask', async () => {
  const kinds = new Set<unknown>();
  for (const run of runs) {
    const { stdout } = await runCase({ ...run, args: [...run.args, '-o', 'json'] }, examples);
    const document: unknown = JSON.parse(stdout, (key, value) => {
      if (key === 'kind') kinds.add(value);
      return value;
    });
    expect(validate(document) ? [] : validate.errors, run.name).toEqual([]);
  }
  // The step `target` occurs only in rules for existing objects, which are not evaluated for requests.
  expect([...stepKinds].filter((kind) => !kinds.has(kind))).toEqual(['target']);
});

const stepKinds: readonly string[] = JSON.parse(readFileSync(schema, 'utf8')).definitions.ruleStep
  .properties.kind.enum;

test('the schema refuses unknown fields', () => {
  expect(validate({ version: '1', results: [{ file: 'a' }] })).toBe(false);
  expect(validate({ version: '1', results: [], more: 1 })).toBe(false);
});

const limits = ['explain', `${examples}replica-limits`];
const pager = `${process.execPath} -e process.stdin.on('data',d=>process.stdout.write('|'+d).toString().length)`;

test('on a terminal the text goes through the pager', async () => {
  const { stdout } = await runHere(limits, { isTTY: true, env: { PAGER: pager, NO_COLOR: '1' } });
  expect(stdout).toMatch(/^\|Deployment shop\/search/);
});

test.each([
  ['where there is no such program', limits, { PAGER: '/no/such/pager' }],
  ['with an empty PAGER', limits, { PAGER: '' }],
  ['with --no-pager', [...limits, '--no-pager'], { PAGER: pager }],
])('%s it is written as it is', async (_, args, env) => {
  const { stdout } = await runHere(args, { isTTY: true, env: { ...env, NO_COLOR: '1' } });
  expect(stdout).toMatch(/^Deployment shop\/search/);
});

test('succeeds if the user quits the pager early', async () => {
  const quitter = `${process.execPath} -e 0`;
  const { exitCode, stderr } = await runHere(limits, { isTTY: true, env: { PAGER: quitter } });
  expect([exitCode, stderr]).toEqual([1, '']);
});
