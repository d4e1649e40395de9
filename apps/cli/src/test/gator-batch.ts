import { GatorRun, type GatorSuite, type TestHost } from '@kubeadmit/testing/other-tools';
import type { Batch } from './batch.ts';

/** The cases of a suite of gator as tests. */
export function gatorBatch(suite: GatorSuite, host: TestHost): Batch {
  const run = new GatorRun(suite, host);
  return {
    file: suite.file,
    name: suite.name,
    format: 'gator',
    tests: run.names,
    run: async (index) => [await run.run(index)],
    leftovers: async () => [],
  };
}
