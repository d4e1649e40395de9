import {
  type InputProblem,
  isRecord,
  Manifest,
  type Path,
  readDocuments,
  type Source,
} from '@kubeadmit/manifest';
import { documentProblems } from '../format/check-shape.ts';
import { gatorSchema } from './gator-schema.ts';

/** An assertion about the violations of a case. */
export interface GatorAssertion {
  /** How many violations match; `true` for at least one. */
  readonly violations: number | boolean;
  /** A regular expression (RE2), which the messages that count match; empty for all. */
  readonly message: string;
}

/** An object and the expected result of a constraint for it. */
export interface GatorCase {
  /** The name of the case. */
  readonly name: string;
  /** The file with the object. */
  readonly object: string;
  /** The files with other objects of the cluster. */
  readonly inventory: readonly string[];
  /** The expected violations. */
  readonly assertions: readonly GatorAssertion[];
  /** Whether the case is skipped. */
  readonly skip: boolean;
  /** The line of the case in its file. */
  readonly line: number;
}

/** A template with a constraint and the cases about it. */
export interface GatorTest {
  /** The name of the test. */
  readonly name: string;
  /** The file with the template. */
  readonly template: string;
  /** The file with the constraint. */
  readonly constraint: string;
  /** The file with the expansions; empty for none. */
  readonly expansion: string;
  /** Whether the constraint is expected not to fit the schema of its template. */
  readonly invalid: boolean;
  /** Whether the test is skipped. */
  readonly skip: boolean;
  /** Its cases. */
  readonly cases: readonly GatorCase[];
  /** The line of the test in its file. */
  readonly line: number;
}

/** A suite of gator. */
export interface GatorSuite {
  /** The name of its file. */
  readonly file: string;
  /** The name of the suite. */
  readonly name: string;
  /** Whether the suite is skipped. */
  readonly skip: boolean;
  /** Its tests. */
  readonly tests: readonly GatorTest[];
}

/** Whether a document is a suite of gator. */
export function isGatorSuite(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { apiVersion, kind } = value;
  return (
    kind === 'Suite' &&
    typeof apiVersion === 'string' &&
    apiVersion.startsWith('test.gatekeeper.sh/')
  );
}

/** Reads the suite of a file, which is its first document for gator, or returns the error. */
export function readGatorSuite(source: Source): {
  readonly suite?: GatorSuite;
  readonly problems: readonly InputProblem[];
} {
  const { documents, problems } = readDocuments(source);
  const [first, second] = documents;
  if (first === undefined) return { problems };
  if (second !== undefined) {
    const message = 'gator reads only the first document of a file; write one file per suite';
    return { problems: [...problems, { file: source.name, message }] };
  }
  const { value, origin, path } = first;
  const found = documentProblems(first, gatorSchema).map((problem) => ({
    ...problem,
    message: problem.message.replace(/^a suite/, 'a suite of gator'),
  }));
  const all = [...problems, ...found];
  if (all.length > 0) return { problems: all };
  const manifest = new Manifest(value as never, origin, path);
  const lineOf = (at: Path): number => manifest.place(at).line;
  return { suite: suiteOf(value as unknown as WrittenSuite, source.name, lineOf), problems: [] };
}

interface WrittenSuite {
  readonly metadata?: { readonly name?: unknown };
  readonly skip?: boolean;
  readonly tests: readonly WrittenTest[];
}

interface WrittenTest extends Partial<Omit<GatorTest, 'cases' | 'line'>> {
  readonly template: string;
  readonly constraint: string;
  readonly cases?: readonly {
    readonly name?: string;
    readonly object: string;
    readonly inventory?: readonly string[];
    readonly skip?: boolean;
    readonly assertions: readonly {
      readonly violations?: number | boolean | 'yes' | 'no';
      readonly message?: string;
    }[];
  }[];
}

function suiteOf(
  { metadata, skip = false, tests }: WrittenSuite,
  file: string,
  lineOf: (path: Path) => number,
): GatorSuite {
  const name = typeof metadata?.name === 'string' ? metadata.name : folderOf(file);
  return {
    file,
    name,
    skip,
    tests: tests.map(({ cases = [], ...test }, at) => ({
      name: `test ${at + 1}`,
      expansion: '',
      invalid: false,
      skip: false,
      ...test,
      line: lineOf(['tests', at]),
      cases: cases.map(({ assertions, ...one }, index) => ({
        name: `case ${index + 1}`,
        inventory: [],
        skip: false,
        ...one,
        line: lineOf(['tests', at, 'cases', index]),
        assertions: assertions.map(({ violations = true, message = '' }) => ({
          violations: violations === 'yes' ? true : violations === 'no' ? false : violations,
          message,
        })),
      })),
    })),
  };
}

function folderOf(file: string): string {
  return file.split('/').at(-2) ?? 'gator';
}
