import { admit, decide, prepareRequest } from '@kubeadmit/admission';
import { timeOf } from '@kubeadmit/base';
import { type Answer, type Answerer, type Case, CaseFailure, type Preparer } from './case.ts';
import { createClusterSource } from './cluster-source.ts';
import { clusterOf, optionalObject } from './fields.ts';

/**
 * Answers the cases of `kubeadmit machine admit -`: a request in a cluster, through all of its policies.
 *
 * @param clock milliseconds since 1970, for defaults such as the time at which a taint was added
 */
export function createAdmitAnswerer(clock: () => number): Answerer {
  const clusterFor = createClusterSource(clock);
  return async (input: Case): Promise<Answer> => {
    const cluster = await clusterFor(clusterOf(input));
    const request = optionalObject(input, 'request');
    const errors = cluster.errors.length > 0 ? cluster.errors : undefined;
    if (request === undefined) return { errors };
    const outcome = admit(cluster, request, { allowIncomplete: true, now: timeOf(clock) });
    if (outcome.failure !== undefined) return { errors, failure: outcome.failure };
    return { response: outcome.response, object: outcome.object, errors };
  };
}

/** Prepares the same cases. The measured run is the decision about a request that has been read. */
export function createAdmitPreparer(clock: () => number): Preparer {
  const clusterFor = createClusterSource(clock);
  return async (input) => {
    const cluster = await clusterFor(clusterOf(input));
    const request = optionalObject(input, 'request');
    if (request === undefined) throw new CaseFailure('not a case: `request` is missing');
    const options = { allowIncomplete: true, now: timeOf(clock) };
    const prepared = prepareRequest(cluster, request, options);
    if (prepared.failure !== undefined) throw new CaseFailure(prepared.failure);
    return () => decide(prepared);
  };
}
