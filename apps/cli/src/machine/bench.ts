import { type Answerer, type BenchCommand, loadPreparer } from '@kubeadmit/machine';
import { measure } from './measure.ts';

/** Answers the cases of a benchmark: the time of one run, everything compiled beforehand. */
export async function loadBench(command: BenchCommand): Promise<Answerer> {
  const prepare = await loadPreparer(command, { clock: Date.now });
  return async (input) => measure(await prepare(input));
}
