import {
  type Cluster,
  type Decision,
  mutateInSteps,
  type PreparedRequest,
  plainJson,
  prepareRequest,
  type Steps,
  validateInSteps,
} from '@kubeadmit/admission';
import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import { readAttributes } from '@kubeadmit/engine';
import { type DiffOperation, diffJson, equalJson, type Json } from '@kubeadmit/mutator';
import type { Generation } from '../policies/generation.ts';
import { isExempt } from './exempt.ts';
import { atPace } from './pace.ts';
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

/** How a review is decided. */
export interface DecideOptions {
  readonly excludedNamespaces: ReadonlySet<string>;
  /** The time of `performance.now()` from which on policies are not evaluated any more. */
  readonly deadline: number;
}

const untouched = { warnings: [], auditAnnotations: undefined, trace: [], operations: [] };

const steps: Readonly<Record<ReviewStep, (prepared: PreparedRequest) => Steps<Decision>>> = {
  mutate: mutateInSteps,
  validate: (prepared) => validateInSteps(prepared, prepared.attributes.object),
};

/** Decides a review by the policies of one generation. */
export async function decideReview(
  generation: Generation,
  step: ReviewStep,
  { request }: Review,
  { excludedNamespaces, deadline }: DecideOptions,
): Promise<ReviewDecision> {
  const attributes = readAttributes(request);
  if (isExempt(attributes, excludedNamespaces)) {
    return { ...untouched, denial: undefined, isExempt: true };
  }
  const cluster: Cluster = generation.cluster;
  const prepared = prepareRequest(cluster, request, { isHeld: true });
  if (prepared.failure !== undefined) {
    return { ...untouched, denial: unreadable(prepared.failure), isExempt: false };
  }
  const decision = await atPace(steps[step](prepared), deadline);
  const isChanged = step === 'mutate' && decision.denial === undefined;
  const operations = isChanged ? changes(prepared.attributes.object, decision.object) : [];
  return { ...decision, operations, isExempt: false };
}

function unreadable(message: string): Status {
  return { metadata: {}, status: 'Failure', message, reason: 'BadRequest', code: 400 };
}

function changes(before: KubernetesObject | null, after: KubernetesObject | null): DiffOperation[] {
  if (before === after) return [];
  const plain = plainJson(after) as Json;
  return equalJson(before as Json, plain) ? [] : diffJson(before as Json, plain);
}
