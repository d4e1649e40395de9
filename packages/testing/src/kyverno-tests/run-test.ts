import { formatPlace, type InputProblem } from '@kubeadmit/manifest';
import { type TestResource, testResources } from './evaluate.ts';
import { entryOf, judge, policyName, type TestEntry } from './judge.ts';
import { type LoadedTest, loadTest } from './load.ts';
import { strictEntries } from './strict.ts';
import type { ExpectedResult, TestFile } from './test-file.ts';
import { type TestHost, TestProblem } from './test-reader.ts';
import {
  missingResources,
  testedPolicies,
  unknownInRow,
  unknownInValues,
} from './unknown-names.ts';

/** How a test is run. */
export interface KyvernoTestOptions {
  /** Reads files, and returns the time. */
  readonly host: TestHost;
  /**
   * Whether rows whose rule does not match a resource, unknown names and policies without a row are errors; the
   * Kyverno CLI accepts them.
   */
  readonly strict?: boolean;
}

/** A test of Kyverno's format with all that it names, which is read when the first of its rows is judged. */
export class KyvernoTestRun {
  readonly #test: TestFile;
  readonly #options: KyvernoTestOptions;
  #ready: Promise<ReadyTest> | undefined;

  constructor(test: TestFile, options: KyvernoTestOptions) {
    this.#test = test;
    this.#options = options;
  }

  /** Judges a row on each of its resources; a test that cannot be read gives an error. Never rejects. */
  async judge(row: ExpectedResult): Promise<readonly TestEntry[]> {
    try {
      const { loaded, resources } = await this.#load();
      const entries = await judge(loaded, [row], resources);
      const judged = this.#options.strict === true ? strictEntries(entries, row, loaded) : entries;
      // Finding a line takes time, and passing rows do not need it.
      return judged.map((entry) =>
        entry.result === 'pass' ? entry : { ...entry, line: row.line() },
      );
    } catch (error) {
      return [this.#errorEntry(row, error)];
    }
  }

  /** With `strict` an error for each unknown name, and for each policy that none of the rows is about. */
  async leftovers(rows: readonly ExpectedResult[]): Promise<readonly TestEntry[]> {
    if (this.#options.strict !== true) return [];
    const ready = await this.#load().catch(() => undefined);
    if (ready === undefined) return [];
    const unknown = [
      ...rows.flatMap((row) => unknownInRow(ready.loaded, row)),
      ...unknownInValues(ready.loaded),
    ].map(({ policy, rule, message, row, at }) => {
      const isElsewhere = at !== undefined && at.file !== this.#test.file;
      const where = isElsewhere ? `${formatPlace(at.file, at.place)}: ` : '';
      const line = row === undefined && !isElsewhere ? at?.place?.line : row?.line();
      return entryOf(
        this.#test,
        { policy, rule, result: row?.result ?? '' },
        { actual: 'not found', result: 'error', message: `${where}${message}`, line },
      );
    });
    const named = new Set(rows.map(policyName));
    const untested = [...new Set(testedPolicies(ready.loaded))]
      .filter((policy) => !named.has(policy))
      .map((policy) => {
        const message = `no row tests the policy ${policy}`;
        const row = { policy, rule: '', result: '' };
        return entryOf(this.#test, row, { actual: 'not tested', result: 'error', message });
      });
    return [...unknown, ...untested];
  }

  /** Without `strict` a warning for each name in the rows and the values that refers to nothing. */
  async warnings(rows: readonly ExpectedResult[]): Promise<readonly InputProblem[]> {
    if (this.#options.strict === true) return [];
    const ready = await this.#load().catch(() => undefined);
    if (ready === undefined) return [];
    const { loaded } = ready;
    const { file } = this.#test;
    const ofRows = rows.flatMap((row) => {
      const missing = missingResources(loaded, row).map(
        (name) => `the test has no resource \`${name}\``,
      );
      const unknown = unknownInRow(loaded, row).map(({ message }) => message);
      return [...missing, ...unknown].map((message) => ({
        file,
        message,
        place: { line: row.line(), column: 1 },
      }));
    });
    const ofValues = unknownInValues(loaded).map(({ message, at }) => ({ file, ...at, message }));
    return [...ofRows, ...ofValues];
  }

  #load(): Promise<ReadyTest> {
    this.#ready ??= loadReady(this.#test, this.#options.host);
    return this.#ready;
  }

  #errorEntry(row: ExpectedResult, error: unknown): TestEntry {
    const message =
      error instanceof TestProblem
        ? error.message
        : `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${String(error)}`;
    const line = row.line();
    return entryOf(this.#test, row, { actual: 'error', result: 'error', message, line });
  }
}

interface ReadyTest {
  readonly loaded: LoadedTest;
  readonly resources: readonly TestResource[];
}

async function loadReady(test: TestFile, host: TestHost): Promise<ReadyTest> {
  const loaded = await loadTest(test, host);
  return { loaded, resources: testResources(loaded, host.clock()) };
}
