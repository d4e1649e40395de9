import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { noFileText, readBytes, readErrorText, readText } from '@kubeadmit/files';
import { type InputProblem, readDocuments, Source } from '@kubeadmit/manifest';
import { readSuites, type Suite, suiteFileName } from '@kubeadmit/testing';
import {
  type GatorSuite,
  isGatorSuite,
  isKaptest,
  isKatTest,
  readGatorSuite,
  readTests,
  type TestFile,
} from '@kubeadmit/testing/other-tools';
import type { ReadBoundary } from '../input/local/boundary.ts';
import { type ForeignSuite, kaptestSuites, katSuites } from './foreign-suites.ts';
import { katSuite } from './kat-folder.ts';

/** One document of tests. */
export type FoundTest =
  | { readonly format: 'admit'; readonly suite: Suite }
  | ForeignSuite
  | { readonly format: 'gator'; readonly suite: GatorSuite }
  | { readonly format: 'kyverno'; readonly test: TestFile };

/** The file, or for kat the folder, of a document of tests. */
export function fileOf(one: FoundTest): string {
  return one.format === 'kyverno' ? one.test.file : one.suite.file;
}

/** The tests below paths, and the files that could not be read. */
export interface FoundTests {
  readonly tests: readonly FoundTest[];
  readonly problems: readonly InputProblem[];
}

/**
 * Reads the tests of files, and in folders, however deep, of files called `*.admit.yaml`, `kaptest.yaml`
 * or `kyvernoName`, suites of gator, whatever they are called, and the tests of kat in folders called `tests`;
 * folders whose names begin with a dot are looked into, `node_modules` and `.git` are not.
 */
export function findTests(
  paths: readonly string[],
  kyvernoName: string,
  boundary: ReadBoundary,
): FoundTests {
  const tests: FoundTest[] = [];
  const problems: InputProblem[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const fail = (file: string, error: unknown): void => {
      problems.push({ file, message: readErrorText(error) });
    };
    for (const file of testFilesOf(path, { kyvernoName, boundary }, fail)) {
      if (seen.has(file)) continue;
      seen.add(file);
      try {
        const read = isFolder(file)
          ? readKatFolder(file, boundary)
          : readTestFile(new Source(file, readText(file)));
        tests.push(...read.tests);
        problems.push(...read.problems);
      } catch (error) {
        fail(file, error);
      }
    }
  }
  return { tests, problems };
}

/** Reads a test file; its name or first document determines the format. */
function readTestFile(source: Source): FoundTests {
  if (suiteFileName.test(source.name) || hasCases(source)) {
    const { suites, problems } = readSuites(source);
    return { tests: suites.map((suite) => ({ format: 'admit', suite })), problems };
  }
  if (isKaptest(firstValue(source))) {
    const { suites, problems } = kaptestSuites(source);
    return { tests: suites, problems };
  }
  if (isGatorSuite(firstValue(source))) {
    const { suite, problems } = readGatorSuite(source);
    return { tests: suite === undefined ? [] : [{ format: 'gator', suite }], problems };
  }
  const { tests, problems } = readTests(source);
  return { tests: tests.map((test) => ({ format: 'kyverno', test })), problems };
}

function hasCases(source: Source): boolean {
  const value = firstValue(source);
  return typeof value === 'object' && value !== null && 'cases' in value;
}

function firstValue(source: Source): unknown {
  return readDocuments(source).documents[0]?.value;
}

/** Tests of kat: the name of their folder stands for all files in it. */
function readKatFolder(tests: string, boundary: ReadBoundary): FoundTests {
  const { document, problems } = katSuite(dirname(tests), boundary);
  if (document === undefined) return { tests: [], problems };
  const made = katSuites(document, tests);
  return { tests: made.suites, problems: [...problems, ...made.problems] };
}

/** Takes a file that cannot be read, with the error. */
type Fail = (file: string, error: unknown) => void;

/** How tests are looked for. */
export interface TestSearch {
  /** The name of files with tests of Kyverno. */
  readonly kyvernoName: string;
  /** Where links may lead. */
  readonly boundary: ReadBoundary;
}

/** Returns the files and folders of tests below a path, of every tool. */
export function testFilesOf(path: string, search: TestSearch, fail: Fail): readonly string[] {
  try {
    search.boundary.requireNamed(path);
    return isFolder(path) ? filesBelow(path, search, { fail, seen: new Set() }) : [path];
  } catch (error) {
    const isElsewhere = path === '-' || /^(?:oci|https?):\/\//.test(path);
    fail(path === '' ? "''" : path, isElsewhere ? new Error(elsewhereText) : error);
    return [];
  }
}

const elsewhereText = 'tests are read from local files only; save them to a file first';

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

/** Suites of gator have any name: the text says whether a file may be one. */
function isGatorFile(path: string): boolean {
  if (!/\.ya?ml$/.test(path)) return false;
  const text = Buffer.from(readBytes(path, { regularOnly: true })).toString('utf8');
  return (
    /^apiVersion:\s*["']?test\.gatekeeper\.sh\//m.test(text) && /^kind:\s*["']?Suite\b/m.test(text)
  );
}

/** The state of a search. */
interface Searching {
  readonly fail: Fail;
  /** The real paths of the folders that were searched: links may lead to one in many ways. */
  readonly seen: Set<string>;
}

function filesBelow(folder: string, search: TestSearch, searching: Searching): string[] {
  const { fail, seen } = searching;
  const real = realpathSync.native(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const { kyvernoName, boundary } = search;
  const entries = readdirSync(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    try {
      const isLink = entry.isSymbolicLink();
      const isBelow = isLink ? isLinkedFolder(path) : entry.isDirectory();
      if (isBelow ? isLeftOut(entry.name) : !/\.ya?ml$/.test(path)) continue;
      if (isLink) boundary.require(path);
      if (isBelow) {
        if (entry.name === 'tests' && readdirSync(path).some(isKatTest)) files.push(path);
        files.push(...filesBelow(path, search, searching));
      } else if (!statSync(path).isFile()) fail(path, new Error(noFileText));
      else if (isTestFile(entry.name, kyvernoName) || isGatorFile(path)) files.push(path);
    } catch (error) {
      fail(path, error);
    }
  }
  return files;
}

function isLeftOut(folder: string): boolean {
  return folder === 'node_modules' || folder === '.git';
}

// A dead link is an error if its name is that of a test.
function isLinkedFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isTestFile(name: string, kyvernoName: string): boolean {
  return name === kyvernoName || name === 'kaptest.yaml' || suiteFileName.test(name);
}
