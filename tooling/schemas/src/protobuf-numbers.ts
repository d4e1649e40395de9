import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortName } from './model.ts';

const target = fileURLToPath(
  new URL('../../../packages/schemas/src/data/protobuf.ts', import.meta.url),
);

/** A number, or those of the messages in between and the field's own. */
type FieldNumber = number | readonly number[];
type Numbers = Map<string, Map<string, FieldNumber>>;
type GoField = readonly [name: string, shape: string, go: string, inside: string, number?: string];

/** The field numbers of messages that packages/schemas has. */
export function readNumbers(): Numbers {
  const numbers: Numbers = new Map();
  if (!existsSync(target)) return numbers;
  const text = /`([^`]*)`/.exec(readFileSync(target, 'utf8'))?.[1] ?? '';
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space < 0) continue;
    const fields = JSON.parse(line.slice(space + 1)) as Readonly<Record<string, FieldNumber>>;
    numbers.set(line.slice(0, space), new Map(Object.entries(fields)));
  }
  return numbers;
}

/**
 * Adds the field numbers that Go's types have in files of go-fields. Numbers never change between versions: a field with
 * two of them is an error.
 */
export function addNumbers(numbers: Numbers, folder: string): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const { types } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly types: Readonly<Record<string, readonly GoField[]>>;
    };
    for (const [long, fields] of Object.entries(types)) {
      if (!/^io\.k8s\.(?:api|apimachinery|apiextensions-apiserver|kube-aggregator)\./.test(long))
        continue;
      addType(numbers, shortName(long), fields);
    }
  }
}

function addType(numbers: Numbers, type: string, fields: readonly GoField[]): void {
  const known = numbers.get(type) ?? new Map<string, FieldNumber>();
  for (const [name, , , , text = '-'] of fields) {
    if (text === '-') continue;
    const path = text.split('.').map(Number);
    const number = path.length === 1 ? (path[0] as number) : path;
    const before = known.get(name);
    if (before !== undefined && String(before) !== String(number)) {
      throw new Error(`${type}.${name} was ${before} and is ${number}`);
    }
    known.set(name, number);
  }
  if (known.size > 0) numbers.set(type, known);
}

/** Writes the data module of the field numbers of the wanted types. */
export function writeNumbers(numbers: Numbers, wanted: ReadonlySet<string>): void {
  const lines = [...numbers.keys()]
    .filter((type) => wanted.has(type))
    .sort()
    .map((type) => `${type} ${JSON.stringify(Object.fromEntries(numbers.get(type) ?? []))}`);
  writeFileSync(
    target,
    '// The numbers of fields in protocol buffers, the same in every version. Written by tooling/schemas.\n' +
      `export const text: string = \`${lines.join('\n')}\`;\n`,
  );
}
