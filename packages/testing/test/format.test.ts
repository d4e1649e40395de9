import { readFileSync } from 'node:fs';
import { Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSuites, suiteSchema } from '../src/index.ts';

/** A file and everything that is wrong with it: `line:column: message`. */
interface Row {
  readonly name: string;
  readonly suite: string;
  readonly problems: readonly string[];
}

const rows = parse(
  readFileSync(new URL('cases/format.yaml', import.meta.url), 'utf8'),
) as readonly Row[];

test.each(rows)('$name', ({ suite, problems }) => {
  const read = readSuites(new Source('t.admit.yaml', suite));
  const actual = read.problems.map(({ place, message }) =>
    place === undefined ? message : `${place.line}:${place.column}: ${message}`,
  );
  expect(actual).toEqual(problems);
});

test('the published schema is that of the reader', async () => {
  const text = `${JSON.stringify(suiteSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../schema/admit-test.schema.json');
});
