import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readErrorText, readText } from '@kubeadmit/files';
import { type InputProblem, readDocuments, Source } from '@kubeadmit/manifest';
import type { SuiteDocument } from '@kubeadmit/testing';
import {
  isGatorSuite,
  isKaptest,
  readGatorSuite,
  readKaptest,
  readTests,
} from '@kubeadmit/testing/other-tools';
import { Boundary, type ReadBoundary } from '../input/local/boundary.ts';
import { testFilesOf } from '../test/find-tests.ts';
import { katSuite } from '../test/kat-folder.ts';
import { suiteOfGator } from './gator-suite.ts';
import { suiteOfKyvernoTest } from './kyverno-suite.ts';

/** The converted tests of other tools, by file, and the problems. */
export interface ImportedTests {
  readonly files: readonly {
    readonly file: string;
    readonly documents: readonly SuiteDocument[];
  }[];
  readonly problems: readonly InputProblem[];
  /** Differences in wording or precision. */
  readonly notes: readonly InputProblem[];
}

/** Makes suites of the tests of other tools below paths. */
export async function documentsIn(paths: readonly string[]): Promise<ImportedTests> {
  const files: { file: string; documents: readonly SuiteDocument[] }[] = [];
  const problems: InputProblem[] = [];
  const notes: InputProblem[] = [];
  const boundary = new Boundary(paths);
  for (const path of paths) {
    const fail = (file: string, error: unknown): void => {
      problems.push({ file, message: readErrorText(error) });
    };
    for (const file of testFilesOf(path, { kyvernoName: 'kyverno-test.yaml', boundary }, fail)) {
      try {
        const read = await readFile(file, boundary);
        problems.push(...read.problems);
        notes.push(...(read.notes ?? []));
        if (read.documents.length > 0) files.push({ file, documents: read.documents });
      } catch (error) {
        fail(file, error);
      }
    }
  }
  return { files, problems, notes };
}

/** The result of one file. */
interface ReadFile {
  readonly documents: readonly SuiteDocument[];
  readonly problems: readonly InputProblem[];
  readonly notes?: readonly InputProblem[];
}

async function readFile(file: string, boundary: ReadBoundary): Promise<ReadFile> {
  if (statSync(file).isDirectory()) {
    const { document, problems } = katSuite(dirname(file), boundary);
    return { documents: document === undefined ? [] : [document], problems };
  }
  const source = new Source(file, readText(file));
  const value = readDocuments(source).documents[0]?.value;
  if (isKaptest(value)) return readKaptest(source);
  if (isGatorSuite(value)) return readGator(source, boundary);
  if (typeof value === 'object' && value !== null && 'cases' in value)
    return { documents: [], problems: [] };
  const { tests, problems } = readTests(source);
  const made = tests.map(suiteOfKyvernoTest);
  return {
    documents: made.flatMap((one) => ('document' in one ? [one.document] : [])),
    problems: [...problems, ...made.flatMap((one) => ('problem' in one ? [one.problem] : []))],
  };
}

async function readGator(source: Source, boundary: ReadBoundary): Promise<ReadFile> {
  const { suite, problems } = readGatorSuite(source);
  if (suite === undefined) return { documents: [], problems };
  const { document, ...told } = await suiteOfGator(suite, boundary);
  return { documents: document === undefined ? [] : [document], ...told };
}
