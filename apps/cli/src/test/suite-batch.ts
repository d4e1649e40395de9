import { type Suite, type SuiteOptions, SuiteRun } from '@kubeadmit/testing';
import type { Batch } from './batch.ts';
import type { ForeignSuite } from './foreign-suites.ts';

/** The cases of a suite as tests. */
export interface SuiteBatch extends Batch {
  readonly format: 'admit';
  readonly suiteRun: SuiteRun;
  readonly options: SuiteOptions;
}

/** Reads the files that the cases of a suite refer to. */
export async function suiteBatch(suite: Suite, options: SuiteOptions): Promise<SuiteBatch> {
  const prepared = await SuiteRun.prepare(suite, options);
  return {
    file: suite.file,
    name: suite.name,
    format: 'admit',
    tests: prepared.cases.map(({ name }) => name),
    suiteRun: prepared,
    options,
    run: async (index) => {
      const one = prepared.cases[index];
      return one === undefined ? [] : [await prepared.run(one)];
    },
    leftovers: () => prepared.leftovers(),
  };
}

/** The tests of another tool, which knows neither strictness nor admission plugins. */
export async function foreignBatch(
  { format, suite, substitute }: ForeignSuite,
  options: SuiteOptions,
): Promise<Batch> {
  const plugins = { selection: 'policies' } as const;
  const batch = await suiteBatch(suite, {
    ...options,
    strict: false,
    substitute,
    plugins,
    allowsRenaming: true,
  });
  return {
    ...batch,
    format,
    // Lines would be those of a generated suite.
    run: async (test) => (await batch.run(test)).map((entry) => ({ ...entry, line: undefined })),
  };
}
