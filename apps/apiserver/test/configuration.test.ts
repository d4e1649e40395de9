import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { readOptions } from '../src/configuration/read-options.ts';
import { UsageError } from '../src/configuration/usage-error.ts';

const silent = { writeOut: () => {}, writeErr: () => {} };

function fileOf(text: string): string {
  return join(folderUntil(onTestFinished, { 'configuration.yaml': text }), 'configuration.yaml');
}

test('reads options from a file, which arguments override', () => {
  const file = fileOf(
    'in-memory: true\nlisten: 127.0.0.1:7000\nname: [one, two]\ncontrollers: false\naudit-level: Request\n',
  );
  expect(readOptions(['--config', file], silent)).toMatchObject({
    store: { type: 'memory' },
    listen: { host: '127.0.0.1', port: 7000 },
    names: ['one', 'two'],
    controllers: false,
  });
  const options = readOptions([`--config=${file}`, '--listen', '127.0.0.1:7001'], silent);
  expect(options?.listen).toEqual({ host: '127.0.0.1', port: 7001 });
});

test.for([
  ['nothing: 1', 'unknown option `nothing`'],
  ['config: x', 'unknown option `config`'],
  ['no-controllers: true', 'unknown option `no-controllers`'],
  ['controllers: maybe', '`controllers` must be true or false'],
  ['data: {a: b}', '`data` must be a string or a number'],
  ['data: [a, b]', '`data` must be a string or a number'],
  ['in-memory: "true"', '`in-memory` must be true or false'],
  ['lod: a', 'unknown option `lod` (did you mean `load`?)'],
  ['[1]', 'a configuration file must contain one object'],
  ['a: b\n---\nc: d', 'a configuration file must contain one object'],
  ['a: [', 'configuration.yaml:1: '],
])('%s is a mistake that is told', ([text = '', why = '']) => {
  const file = fileOf(text);
  expect(() => readOptions(['--config', file], silent)).toThrow(UsageError);
  expect(() => readOptions(['--config', file], silent)).toThrow(why);
});

test('reports a missing file', () => {
  expect(() => readOptions(['--config', '/nope'], silent)).toThrow('/nope: no such file');
});

test('the schema contains every option', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../configuration.schema.json', import.meta.url), 'utf8'),
  ) as { readonly properties: object };
  let help = '';
  const writeOut = (text: string): void => {
    help += text;
  };
  readOptions(['--help'], { ...silent, writeOut });
  const options = [...help.matchAll(/^ +--(?:no-)?([a-z-]+)/gm)].map(([, name]) => name);
  expect(Object.keys(schema.properties).sort()).toEqual(
    options.filter((name) => name !== 'config').sort(),
  );
});
