import { readFileSync } from 'node:fs';
import { Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { KyvernoTestRun, readTests } from '../src/other-tools.ts';

/** A test of the Kyverno CLI: its files by path, and some members of the result of each row. */
interface Lesson {
  readonly name: string;
  readonly given: Readonly<Record<string, string>>;
  readonly answer: object;
}

const file = new URL('cases/kyverno-tests.yaml', import.meta.url);
const lessons = parse(readFileSync(file, 'utf8')) as readonly Lesson[];

test.each(lessons)('$name', async ({ given, answer }) => {
  expect(await testsOf(given)).toMatchObject(answer);
});

/** Returns the result of each row of a Kyverno test. */
async function testsOf(files: Lesson['given']): Promise<object> {
  const sourceOf = (name: string): Source => new Source(name, files[name] ?? '');
  const { tests, problems } = readTests(sourceOf('kyverno-test.yaml'));
  const host = {
    read: async (path: string) =>
      Object.hasOwn(files, path)
        ? { sources: [sourceOf(path)], problems: [] }
        : { sources: [], problems: [{ file: path, message: 'there is no such file' }] },
    warn: () => undefined,
    clock: () => 0,
  };
  const entries = tests.flatMap((each) => {
    const run = new KyvernoTestRun(each, { host });
    return each.results.map((row) => run.judge(row));
  });
  return {
    problems: problems.map(({ message }) => message),
    entries: (await Promise.all(entries)).flat(),
  };
}
