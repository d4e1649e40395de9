import { metadataString } from '@kubeadmit/apimachinery';
import { type TestResource, testResources } from './evaluate.ts';
import { entryOf, judge, policyName, type TestEntry } from './judge.ts';
import { type LoadedTest, loadTest } from './load.ts';
import { strictEntries } from './strict.ts';
import type { ExpectedResult, TestFile } from './test-file.ts';
import { type TestHost, TestProblem } from './test-reader.ts';

/** How a test is run. */
export interface KyvernoTestOptions {
  /** Reads files, and tells the time. */
  readonly host: TestHost;
  /**
   * Whether rows whose rule does not match a resource, unknown resources and policies without a row are errors; the
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

  /** With `strict` an error for each policy that none of the rows is about. */
  async leftovers(rows: readonly ExpectedResult[]): Promise<readonly TestEntry[]> {
    if (this.#options.strict !== true) return [];
    const ready = await this.#load().catch(() => undefined);
    if (ready === undefined) return [];
    const { policies, native } = ready.loaded;
    const all = [
      ...[...policies.classic, ...policies.cel].map(({ object }) => metadataString(object, 'name')),
      ...native.map(({ name }) => name),
    ];
    const named = new Set(rows.map(policyName));
    return [...new Set(all)]
      .filter((policy) => !named.has(policy))
      .map((policy) => {
        const message = `no row tests the policy ${policy}`;
        const row = { policy, rule: '', result: '' };
        return entryOf(this.#test, row, { actual: 'not tested', result: 'error', message });
      });
  }

  #load(): Promise<ReadyTest> {
    this.#ready ??= loadReady(this.#test, this.#options.host);
    return this.#ready;
  }

  #errorEntry(row: ExpectedResult, error: unknown): TestEntry {
    const message =
      error instanceof TestProblem
        ? error.message
        : `internal error, please report it: ${String(error)}`;
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
