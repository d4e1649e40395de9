import { readFileSync } from 'node:fs';
import { Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSuites, SuiteRun } from '../src/index.ts';
import { hostOf } from './host.ts';

/** A suite and the expected results of its cases. */
interface Row {
  readonly name: string;
  readonly suite: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly strict?: boolean;
  readonly kubernetesVersions?: readonly string[];
  /** `name: result`, and behind a second colon the message where there is one. */
  readonly entries: readonly string[];
}

const { files: common, rows } = parse(
  readFileSync(new URL('cases/suites.yaml', import.meta.url), 'utf8'),
) as { readonly files: Readonly<Record<string, string>>; readonly rows: readonly Row[] };

test.each(rows)('$name', async ({ suite, files, entries, strict, kubernetesVersions }) => {
  const read = readSuites(new Source('t.admit.yaml', suite));
  expect(read.problems).toEqual([]);
  const actual: string[] = [];
  for (const one of read.suites) {
    const host = hostOf({ ...common, ...files });
    const run = await SuiteRun.prepare(one, { host, strict, kubernetesVersions });
    const all = [];
    for (const each of run.cases) all.push(await run.run(each));
    for (const { name, result, message } of [...all, ...(await run.leftovers())]) {
      actual.push(message === '' ? `${name}: ${result}` : `${name}: ${result}: ${message}`);
    }
  }
  expect(actual).toEqual(entries);
});
