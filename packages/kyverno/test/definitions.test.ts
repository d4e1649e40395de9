import type { JsonObject } from '@kubeadmit/apimachinery';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { findSchemaProblems } from '../src/validation.ts';

/** An object that the definitions of Kyverno 1.19.1 accept. */
interface Accepted {
  readonly name: string;
  readonly object: JsonObject;
}

/** A change of an accepted object, and the answer of a server with the definitions. */
interface Change {
  readonly object: string;
  readonly path: readonly (string | number)[];
  readonly change: 'delete' | 'repeat' | 'set';
  readonly value?: unknown;
  readonly refused: readonly string[];
}

const lines: readonly (Accepted | Change)[] = readLines(
  new URL('cases/definitions.ndjson', import.meta.url),
);
const accepted = new Map(
  lines.flatMap((line) => ('name' in line ? [[line.name, line.object] as const] : [])),
);
const changes = lines.filter((line): line is Change => 'path' in line);

function changed({ object, path, change, value }: Change): JsonObject {
  const copy = structuredClone(accepted.get(object)) as JsonObject;
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((inner, step) => (inner as JsonObject)[step], copy) as JsonObject;
  const last = path.at(-1) as string;
  if (change === 'set') holder[last] = value;
  else if (change === 'repeat')
    (holder as unknown as unknown[]).push(structuredClone(holder[last]));
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}

test.each([...accepted])('%s is accepted as it is', (_, object) => {
  expect(findSchemaProblems(object)).toEqual([]);
});

test('changed objects are refused as by a server with the definitions of Kyverno', () => {
  for (const each of changes) {
    const found = findSchemaProblems(changed(each)).filter(({ kind }) => kind === 'refused');
    const messages = [...new Set(found.map(({ message }) => message))].sort();
    expect(messages, JSON.stringify(each)).toEqual(each.refused);
  }
});
