import { admit, decide, prepareRequest } from '@kubeadmit/admission';
import { type Answer, type Answerer, type Case, CaseFailure, type Preparer } from './case.ts';
import { createClusterSource } from './cluster-source.ts';
import { clusterOf, optionalObject } from './fields.ts';

/** Answers the cases of `kubeadmit admit -`: a request in a cluster, through all of its policies. */
export function createAdmitAnswerer(): Answerer {
  const clusterFor = createClusterSource();
  return async (input: Case): Promise<Answer> => {
    const cluster = await clusterFor(clusterOf(input));
    const request = optionalObject(input, 'request');
    const errors = cluster.errors.length > 0 ? cluster.errors : undefined;
    if (request === undefined) return { errors };
    const outcome = admit(cluster, request, { allowIncomplete: true });
    if (outcome.failure !== undefined) return { errors, failure: outcome.failure };
    return { response: outcome.response, object: outcome.object, errors };
  };
}

/** Prepares the same cases: what is run is the decision about a request that has been read. */
export function createAdmitPreparer(): Preparer {
  const clusterFor = createClusterSource();
  return async (input) => {
    const cluster = await clusterFor(clusterOf(input));
    const request = optionalObject(input, 'request');
    if (request === undefined) throw new CaseFailure('not a case: `request` is missing');
    const prepared = prepareRequest(cluster, request, { allowIncomplete: true });
    if (prepared.failure !== undefined) throw new CaseFailure(prepared.failure);
    return () => decide(prepared);
  };
}
