import { readFileSync } from 'node:fs';
import { Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { GatorRun, readGatorSuite } from '../src/other-tools.ts';
import { hostOf } from './host.ts';

/** Tests of a suite, and gator's result for each case. */
interface Row {
  readonly name: string;
  readonly tests: string;
  /** `case: result`, and behind a second colon the message where there is one. */
  readonly entries?: readonly string[];
  /** The problems of the suite itself. */
  readonly problems?: readonly string[];
}

const { files, rows } = parse(
  readFileSync(new URL('cases/gator.yaml', import.meta.url), 'utf8'),
) as {
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
};

const head = 'apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\nmetadata:\n  name: s\ntests:\n';

test.each(rows)('$name', async ({ tests, entries = [], problems = [] }) => {
  const read = readGatorSuite(new Source('suite.yaml', `${head}${tests}`));
  expect(read.problems.map(({ message }) => message)).toEqual(problems);
  const actual: string[] = [];
  if (read.suite !== undefined) {
    const run = new GatorRun(read.suite, hostOf(files));
    for (const index of run.names.keys()) {
      const { name, result, message } = await run.run(index);
      actual.push(message === '' ? `${name}: ${result}` : `${name}: ${result}: ${message}`);
    }
  }
  expect(actual).toEqual(entries);
});
