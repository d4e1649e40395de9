import { decide, prepareRequest } from '@kubeadmit/admission';
import { prepareCase } from '@kubeadmit/engine';
import { createClusterSource } from './admit.ts';
import { readEvalCase } from './eval.ts';
import { clusterOf, optionalObject } from './fields.ts';
import { type Answer, type Answerer, type Case, CaseFailure } from './lines.ts';
import { measure } from './measure.ts';

/** Answers a case of `kubeadmit bench eval -`: the time of one evaluation, compiled beforehand. */
export function benchEvalCase(input: Case): Answer {
  const prepared = prepareCase(readEvalCase(input));
  if (!('program' in prepared)) {
    const issues = prepared.issues?.map(({ message }) => message).join('; ');
    throw new CaseFailure(prepared.failure ?? issues ?? 'the expression does not compile');
  }
  const { program, values, costLimit } = prepared;
  return measure(() => program.evaluate(values, { costLimit }));
}

/**
 * Answers the cases of `kubeadmit bench admit -`: the time in which the policies decide a request that has been
 * read, compiled beforehand.
 */
export function createAdmitBench(): Answerer {
  const clusterFor = createClusterSource();
  return async (input) => {
    const cluster = await clusterFor(clusterOf(input));
    const request = optionalObject(input, 'request');
    if (request === undefined) throw new CaseFailure('not a case: `request` is missing');
    const prepared = prepareRequest(cluster, request);
    if (prepared.failure !== undefined) throw new CaseFailure(prepared.failure);
    return measure(() => decide(prepared));
  };
}
