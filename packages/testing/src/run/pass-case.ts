import { type Passage, passRequest, readRequest } from '@kubeadmit/chain';
import { assumedNamespaceTexts, failedPassage } from '@kubeadmit/chain/unstable-internal';
import type { CaseCluster } from '../load/cluster-loader.ts';
import { CaseProblem } from '../load/reference-reader.ts';
import type { CaseRequest } from './make-request.ts';

/**
 * Evaluates the request of a case.
 *
 * @throws CaseProblem for an internal error
 */
export function passCase(
  { check }: CaseCluster,
  { request, isOfClient, refusal }: CaseRequest,
): Passage {
  const passage =
    refusal === undefined
      ? passRequest(check.chain, request, { isOfClient })
      : failedPassage(refusal);
  if (passage.isBroken === true) throw new CaseProblem(passage.failure ?? '');
  return passage;
}

/**
 * Requires that nothing had to be assumed about the namespace of a request; `field` is where namespaces are given.
 *
 * @throws CaseProblem where it had.
 */
export function requireNamespace(
  { check, assumptions }: CaseCluster,
  { request, isOfClient, refusal }: CaseRequest,
  field: string,
): void {
  if (refusal !== undefined || assumptions.isEmpty) return;
  const read = readRequest(check.chain, request, { isOfClient });
  const assumed = 'failure' in read ? [] : assumptions.about(read.prepared);
  if (assumed.length === 0) return;
  const texts = assumedNamespaceTexts(assumed);
  throw new CaseProblem(`${texts.join('\n')}\nadd the namespace to \`${field}\``);
}
