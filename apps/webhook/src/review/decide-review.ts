import {
  type Cluster,
  type Decision,
  mutateRequest,
  plainJson,
  prepareRequest,
  validateRequest,
} from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { internalErrorStatus, readAttributes } from '@kubeadmit/engine';
import { type DiffOperation, diffJson, equalJson, type Json } from '@kubeadmit/mutator';
import type { Generation } from '../policies/generation.ts';
import { isExempt } from './exempt.ts';
import type { Review } from './read-review.ts';

/** What kube-apiserver asks for: its two kinds of webhooks. */
export type ReviewStep = 'mutate' | 'validate';

/** What the policies say of a review. */
export interface ReviewDecision
  extends Pick<Decision, 'denial' | 'warnings' | 'auditAnnotations' | 'trace'> {
  /** What turns the object of the request into the mutated one; empty when nothing changes. */
  readonly operations: readonly DiffOperation[];
  /** No policy was asked. */
  readonly isExempt: boolean;
}

const untouched = { warnings: [], auditAnnotations: undefined, trace: [], operations: [] };

/** Decides a review by the policies of one generation. */
export function decideReview(
  generation: Generation,
  step: ReviewStep,
  { request }: Review,
  excludedNamespaces: ReadonlySet<string>,
): ReviewDecision {
  const attributes = readAttributes(request);
  if (isExempt(attributes, excludedNamespaces))
    return { ...untouched, denial: undefined, isExempt: true };
  const cluster: Cluster = step === 'mutate' ? generation.mutating : generation.validating;
  const prepared = prepareRequest(cluster, request);
  if (prepared.failure !== undefined) {
    return { ...untouched, denial: internalErrorStatus(prepared.failure), isExempt: false };
  }
  const { object } = prepared.attributes;
  if (step === 'validate') {
    return { ...validateRequest(prepared, object), operations: [], isExempt: false };
  }
  const decision = mutateRequest(prepared);
  const operations = decision.denial === undefined ? changes(object, decision.object) : [];
  return { ...decision, operations, isExempt: false };
}

function changes(before: KubernetesObject | null, after: KubernetesObject | null): DiffOperation[] {
  if (before === after) return [];
  const plain = plainJson(after) as Json;
  return equalJson(before as Json, plain) ? [] : diffJson(before as Json, plain);
}
