import { readFileSync } from 'node:fs';
import { Double, type Value } from '@kubeadmit/cel';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readDocuments } from '../src/documents.ts';
import { Source } from '../src/source.ts';

/** Texts with the results of apimachinery 0.37 (the reader of kubectl). */
interface Case {
  readonly name: string;
  readonly yaml: string;
  readonly documents: readonly unknown[];
  readonly error?: string;
}

const cases = readLines<Case>(new URL('cases/yaml.ndjson', import.meta.url));

/** Numbers with their type, as the recorded answers have them. */
function typed(value: Value): unknown {
  if (typeof value === 'bigint') return { $int: value.toString() };
  if (value instanceof Double) return { $double: goFloat(value.value) };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { $int: String(value) } : { $double: goFloat(value) };
  }
  if (Array.isArray(value)) return value.map(typed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typed(item)]));
}

function goFloat(value: number): string {
  const sign = Object.is(value, -0) ? '-' : '';
  const [digits = '', exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${sign}${digits}e${power < 0 ? '-' : '+'}${size}`;
}

describe('documents are read as kubectl reads them', () => {
  test.each(cases)('$name', ({ name, yaml, documents, error }) => {
    const read = readDocuments(new Source('x.yaml', yaml));
    const values = read.documents.map(({ value }) => typed(value));
    if (name === 'duplicate key') {
      expect(read.problems.map(({ message }) => message)).toEqual(['key "c" already set in map']);
    } else if (error === undefined) {
      expect(read.problems).toEqual([]);
      expect(JSON.stringify(values)).toEqual(JSON.stringify(sortedLike(documents, values)));
    } else {
      expect(read.problems).not.toEqual([]);
    }
  });
});

interface Broken {
  readonly name: string;
  readonly yaml: string;
  readonly problem: string;
  readonly line: number;
}

describe.each([
  ['what is not closed names the line in which it begins', 'unclosed'],
  ['what kubectl alone refuses is a problem', 'refused'],
])('%s', (_, name) => {
  const file = readFileSync(new URL(`cases/${name}.yaml`, import.meta.url), 'utf8');
  test.each(parse(file) as Broken[])('$name', ({ yaml, problem, line }) => {
    const { problems } = readDocuments(new Source('x.yaml', yaml));
    expect(problems.map(({ message, place }) => [message, place?.line])).toEqual([[problem, line]]);
  });
});

/** The recorded documents with the keys of every map in the order of ours: Go sorts them. */
function sortedLike(want: unknown, have: unknown): unknown {
  if (Array.isArray(want) && Array.isArray(have)) {
    return want.map((item, index) => sortedLike(item, have[index]));
  }
  if (typeof want !== 'object' || want === null || typeof have !== 'object' || have === null) {
    return want;
  }
  const keys = [...new Set([...Object.keys(have), ...Object.keys(want)])];
  return Object.fromEntries(
    keys
      .filter((key) => Object.hasOwn(want, key))
      .map((key) => [
        key,
        sortedLike((want as Record<string, unknown>)[key], (have as Record<string, unknown>)[key]),
      ]),
  );
}

test.each([undefined, null, 'kind: Pod', {}])('a source has a name and a text: %j', (given) => {
  const expected = new TypeError(
    "manifests are read from a Source, as in new Source('policy.yaml', text)",
  );
  expect(() => readDocuments(given as never)).toThrow(expected);
});
