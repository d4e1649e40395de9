import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTests, type TestFile } from '@kubeadmit/check';
import { type InputProblem, Source } from '@kubeadmit/manifest';
import { readErrorText } from '../input/streams.ts';

/** The tests below paths, and what could not be read. */
export interface FoundTests {
  readonly tests: readonly TestFile[];
  readonly problems: readonly InputProblem[];
}

/**
 * Reads the tests of files, and of all files of a name in folders, however deep; folders whose names
 * begin with a dot are looked into, `node_modules` and `.git` are not.
 */
export function findTests(paths: readonly string[], fileName: string): FoundTests {
  const tests: TestFile[] = [];
  const problems: InputProblem[] = [];
  for (const path of paths) {
    try {
      const files = statSync(path).isDirectory() ? filesBelow(path, fileName) : [path];
      for (const file of files) {
        const read = readTests(new Source(file, readFileSync(file, 'utf8')));
        tests.push(...read.tests);
        problems.push(...read.problems);
      }
    } catch (error) {
      problems.push({ file: path, message: readErrorText(error) });
    }
  }
  return { tests, problems };
}

function filesBelow(folder: string, fileName: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      files.push(...filesBelow(path, fileName));
    } else if (entry.name === fileName) {
      files.push(path);
    }
  }
  return files;
}
