import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTests, type TestFile } from '@kubeadmit/check';
import { type InputProblem, readDocuments, Source } from '@kubeadmit/manifest';
import { readSuites, type Suite, suiteFileName } from '@kubeadmit/testing';
import { readErrorText } from '../input/streams.ts';

/** One document of tests. */
export type FoundTest =
  | { readonly format: 'admit'; readonly suite: Suite }
  | { readonly format: 'kyverno'; readonly test: TestFile };

/** The tests below paths, and what could not be read. */
export interface FoundTests {
  readonly tests: readonly FoundTest[];
  readonly problems: readonly InputProblem[];
}

/**
 * Reads the tests of files, and in folders, however deep, of files called `*.admit.yaml` or `kyvernoName`; folders
 * whose names begin with a dot are looked into, `node_modules` and `.git` are not.
 */
export function findTests(paths: readonly string[], kyvernoName: string): FoundTests {
  const tests: FoundTest[] = [];
  const problems: InputProblem[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    try {
      for (const file of filesOf(path, kyvernoName)) {
        if (seen.has(file)) continue;
        seen.add(file);
        const read = readTestFile(new Source(file, readFileSync(file, 'utf8')));
        tests.push(...read.tests);
        problems.push(...read.problems);
      }
    } catch (error) {
      problems.push({ file: path, message: readErrorText(error) });
    }
  }
  return { tests, problems };
}

/** Reads a file in the format that its name or its first document tells. */
function readTestFile(source: Source): FoundTests {
  if (suiteFileName.test(source.name) || hasCases(source)) {
    const { suites, problems } = readSuites(source);
    return { tests: suites.map((suite) => ({ format: 'admit', suite })), problems };
  }
  const { tests, problems } = readTests(source);
  return { tests: tests.map((test) => ({ format: 'kyverno', test })), problems };
}

function hasCases(source: Source): boolean {
  const value = readDocuments(source).documents[0]?.value;
  return typeof value === 'object' && value !== null && 'cases' in value;
}

function filesOf(path: string, kyvernoName: string): readonly string[] {
  return statSync(path).isDirectory() ? filesBelow(path, kyvernoName) : [path];
}

function filesBelow(folder: string, kyvernoName: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      files.push(...filesBelow(path, kyvernoName));
    } else if (entry.name === kyvernoName || suiteFileName.test(entry.name)) {
      files.push(path);
    }
  }
  return files;
}
