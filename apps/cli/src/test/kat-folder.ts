import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type InputProblem, readManifests, Source } from '@kubeadmit/manifest';
import type { SuiteDocument } from '@kubeadmit/testing';
import {
  isKatPolicy,
  isKatTest,
  katCaseOf,
  readKatFile,
  suiteOfKat,
} from '@kubeadmit/testing/other-tools';
import { outsideText, type ReadBoundary } from '../input/local/boundary.ts';
import { requiredText } from '../input/streams.ts';
import { CommandFailure } from '../process/terminal.ts';

/** The tests of kat in a folder, and the problems of their files. */
export interface KatTests {
  /** The suite, whose references are relative to the folder; absent where there are no tests. */
  readonly document?: SuiteDocument;
  readonly problems: readonly InputProblem[];
}

/** Makes a suite of the tests of kat in a folder; cases with a file that cannot be read are left out. */
export function katSuite(folder: string, boundary: ReadBoundary): KatTests {
  const textOf = (path: string): string => {
    if (!boundary.contains(path)) throw new CommandFailure(`${path}: ${outsideText}`);
    return requiredText(path, undefined, { regularOnly: true });
  };
  const names = readdirSync(folder).filter(isKatPolicy).sort();
  const tests = join(folder, 'tests');
  if (names.length === 0 || !existsSync(tests)) return { problems: [] };
  const sources = names.map((name) => new Source(name, textOf(join(folder, name))));
  const policies = sources
    .flatMap((source) => readManifests(source).manifests)
    .filter(({ kind }) => /^(?:Validating|Mutating)AdmissionPolicy$/.test(kind));
  const read = readdirSync(tests)
    .filter(isKatTest)
    .sort()
    .map((name) => {
      const path = join(tests, name);
      return readKatFile(new Source(path, textOf(path)), name, `tests/${name}`);
    });
  const broken = new Set(
    read.filter(({ problems }) => problems.length > 0).map(({ file }) => katCaseOf(file.name)),
  );
  const document = suiteOfKat({
    name: folder.slice(folder.lastIndexOf('/') + 1),
    policies: names,
    policyNames: policies.map(({ name }) => name),
    tests: read.map(({ file }) => file).filter(({ name }) => !broken.has(katCaseOf(name))),
  });
  const problems = read.flatMap((each) => each.problems);
  return { ...(document === undefined ? {} : { document }), problems };
}
