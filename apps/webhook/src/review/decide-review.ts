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
import { type Chain, stepAnswer } from '@kubeadmit/check';
import { type AdmissionRequest, readAttributes } from '@kubeadmit/engine';
import { deepEqual } from '@kubeadmit/go';
import { type DiffOperation, diffJson, type Json } from '@kubeadmit/mutator';
import type { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Generation } from '../policies/generation.ts';
import { isExempt } from './exempt.ts';
import { ownPolicyRefusal } from './own-policies.ts';
import { atPace } from './pace.ts';
import type { Review } from './read-review.ts';

/** What kube-apiserver asks for: its two kinds of webhooks. */
export type ReviewStep = 'mutate' | 'validate';

type Answer = Pick<Decision, 'denial' | 'warnings' | 'auditAnnotations' | 'trace'>;

/** What the policies say of a review. */
export interface ReviewDecision extends Answer {
  /** What turns the object of the request into the mutated one; empty when nothing changes. */
  readonly operations: readonly DiffOperation[];
  /** The seconds that each policy of the trace took. */
  readonly seconds: readonly number[];
  /** No policy was asked. */
  readonly isExempt: boolean;
}

/** How a review is decided. */
export interface DecideOptions {
  readonly excludedNamespaces: ReadonlySet<string>;
  /** The time of `performance.now()` from which on policies are not evaluated any more. */
  readonly deadline: number;
  /** Who knows the permissions of a cluster; without it, they are those of its set of policies. */
  readonly authorizer: RemoteAuthorizer | undefined;
}

const untouched = {
  seconds: [],
  warnings: [],
  auditAnnotations: undefined,
  trace: [],
  operations: [],
};

const steps: Readonly<Record<ReviewStep, (prepared: PreparedRequest) => Steps<Decision>>> = {
  mutate: mutateInSteps,
  validate: (prepared) => validateInSteps(prepared, prepared.attributes.object),
};

/** Decides a review by the policies of one generation. */
export async function decideReview(
  generation: Generation,
  step: ReviewStep,
  { request }: Review,
  { excludedNamespaces, deadline, authorizer }: DecideOptions,
): Promise<ReviewDecision> {
  const attributes = readAttributes(request);
  const { chain } = generation;
  if (isExempt(attributes, excludedNamespaces)) {
    const denial = step === 'validate' ? ownPolicyRefusal(chain.cluster, request) : undefined;
    return { ...untouched, denial, isExempt: true };
  }
  const asking = authorizer?.forRequest();
  const cluster: Cluster =
    asking === undefined ? chain.cluster : { ...chain.cluster, authorizer: asking };
  const prepared = prepareRequest(cluster, request, { isHeld: true });
  if (prepared.failure !== undefined) {
    return { ...untouched, denial: unreadable(prepared.failure), isExempt: false };
  }
  let took: number[] = [];
  let decision = await atPace(steps[step](prepared), deadline, took);
  // Each round answers what the one before asked; what is asked may depend on answers.
  while (asking?.hasOpenQuestions === true) {
    await Promise.race([asking.answer(), untilTime(deadline)]);
    took = [];
    decision = await atPace(steps[step](prepared), deadline, took);
    if (performance.now() > deadline) break;
  }
  const seconds = secondsOf(decision.trace.length, took);
  const { object } = prepared.attributes;
  if (step === 'validate') {
    const steps = validated(chain, request, decision);
    return { ...(await atPace(steps, deadline)), ...unchanged, seconds };
  }
  if (decision.denial !== undefined) return { ...decision, ...unchanged, seconds };
  const native =
    decision.object === object ? object : (plainJson(decision.object) as typeof object);
  const byKyverno = mutatedByKyverno(chain, request, decision, native);
  const { answer, mutated } = await atPace(byKyverno, deadline);
  const operations = answer.denial === undefined ? changes(object, mutated) : [];
  return { ...answer, operations, isExempt: false, seconds };
}

// The first step comes before the first policy. Where policies ran once more, or ended everything, each has its share.
function secondsOf(policies: number, [, ...took]: readonly number[]): readonly number[] {
  if (took.length === policies) return took;
  const all = took.reduce((sum, each) => sum + each, 0);
  return Array.from({ length: policies }, () => all / policies);
}

function untilTime(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time - performance.now()).unref());
}

function unreadable(message: string): Status {
  return { metadata: {}, status: 'Failure', message, reason: 'BadRequest', code: 400 };
}

const unchanged = { operations: [], isExempt: false };

// As servers ask: Kyverno's webhook after kube-apiserver's own policies, and not about what those refuse.
function* validated(chain: Chain, request: AdmissionRequest, decision: Decision): Steps<Answer> {
  const { kyverno } = chain;
  if (kyverno === undefined || decision.denial !== undefined) return decision;
  return stepAnswer(chain, decision, yield* kyverno.validateInSteps(request, decision.object));
}

function* mutatedByKyverno(
  chain: Chain,
  request: AdmissionRequest,
  decision: Decision,
  object: KubernetesObject | null,
): Steps<{ readonly answer: Answer; readonly mutated: KubernetesObject | null }> {
  const { kyverno } = chain;
  if (kyverno?.mutates !== true || object === null) return { answer: decision, mutated: object };
  const mutated = yield* kyverno.mutateInSteps({ ...request, object }, object);
  return { answer: stepAnswer(chain, decision, mutated), mutated: mutated.object };
}

function changes(before: KubernetesObject | null, after: KubernetesObject | null): DiffOperation[] {
  if (before === after || deepEqual(before as Json, after as Json)) return [];
  return diffJson(before as Json, after as Json);
}
