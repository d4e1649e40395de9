import {
  type Cluster,
  type Decision,
  type PreparedRequest,
  prepareRequest,
} from '@kubeadmit/admission';
import {
  mutateInSteps,
  objectForServer,
  validateInSteps,
  type WebhookPart,
} from '@kubeadmit/admission/unstable-internal';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { badRequestStatus } from '@kubeadmit/apimachinery/status';
import { timeOf } from '@kubeadmit/base';
import type { Chain, Finding } from '@kubeadmit/chain';
import type { Response } from '@kubeadmit/chain/kyverno-resources';
import { stepAnswer } from '@kubeadmit/chain/unstable-internal';
import { type AdmissionRequest, readAttributes } from '@kubeadmit/engine';
import type { Steps } from '@kubeadmit/engine/unstable-internal';
import { deepEqual } from '@kubeadmit/go';
import { type DiffOperation, diffJson, type Json } from '@kubeadmit/mutator';
import type { RemoteAuthorizer, RequestAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Generation } from '../policies/generation.ts';
import { untilTime } from './deadline.ts';
import { isExempt } from './exempt.ts';
import { kyvernoObjectAnswer } from './kyverno-objects.ts';
import { ownPolicyRefusal } from './own-policies.ts';
import { atPace, StepTimes, type TimedStep } from './pace.ts';
import type { Review } from './read-review.ts';
import { withImages } from './with-images.ts';

/** The two kinds of webhooks that kube-apiserver calls. */
export type ReviewStep = 'mutate' | 'validate';

interface Answer extends Pick<Decision, 'denial' | 'warnings' | 'auditAnnotations' | 'trace'> {
  /** Returns the finding of each policy, native ones first; computed on demand. */
  readonly findings: () => readonly Finding[];
  /** The same without Kyverno's policies. */
  readonly nativeFindings: () => readonly Finding[];
  /** The results of Kyverno's policies. */
  readonly responses: readonly Response[];
}

/** The decision of the policies about a review. */
export interface ReviewDecision extends Answer {
  /** The patch from the object of the request to the mutated one; empty if nothing changes. */
  readonly operations: readonly DiffOperation[];
  /** Returns when each policy of the trace was evaluated; computed on demand. */
  readonly times: () => readonly TimedStep[];
  /** When the decision waited for answers of the cluster and of registries, and when Kyverno's policies were evaluated. */
  readonly waits: readonly TimedStep[];
  readonly registryWaits: readonly TimedStep[];
  readonly kyverno: TimedStep | undefined;
  /** Returns a sentence for each selector that depends on an unknown namespace; computed on demand. */
  readonly assumed: () => readonly string[];
  /** The milliseconds in which it waited for other requests, the cluster and registries. */
  readonly waited: number;
  /** Whether the request is exempt, so that no policy was evaluated. */
  readonly isExempt: boolean;
}

/** How a review is decided. */
export interface DecideOptions {
  readonly excludedNamespaces: ReadonlySet<string>;
  /** The time of `performance.now()` from which on policies are not evaluated any more. */
  readonly deadline: number;
  /** Checks permissions in the cluster; without it, they come from the set of policies. */
  readonly authorizer: RemoteAuthorizer | undefined;
  /**
   * Whether this is a scan and not a real request; Kyverno policies that are only for scans are then evaluated,
   * too.
   */
  readonly isScan?: boolean;
  /** Evaluates only the policies of this webhook (default: all). */
  readonly webhook?: WebhookPart | undefined;
  /** Whether policies of Kyverno are checked when they are created or updated (default: no). */
  readonly checksKyverno?: boolean;
}

const untouched = {
  findings: () => [],
  nativeFindings: () => [],
  responses: [],
  assumed: () => [],
  times: () => [],
  waits: [],
  registryWaits: [],
  waited: 0,
  kyverno: undefined,
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
  {
    excludedNamespaces,
    deadline,
    authorizer,
    isScan = false,
    webhook,
    checksKyverno = false,
  }: DecideOptions,
): Promise<ReviewDecision> {
  const attributes = readAttributes(request);
  const { chain } = generation;
  const ofKyverno =
    step === 'validate' && checksKyverno ? kyvernoObjectAnswer(request, chain.clock) : undefined;
  if (ofKyverno !== undefined) return { ...untouched, ...ofKyverno, isExempt: true };
  if (isExempt(attributes, excludedNamespaces)) {
    const denial =
      step === 'validate'
        ? await ownPolicyRefusal(chain.cluster, request, { authorizer, deadline })
        : undefined;
    return { ...untouched, denial, isExempt: true };
  }
  const asking = authorizer?.forRequest();
  const cluster: Cluster =
    asking === undefined && webhook === undefined
      ? chain.cluster
      : {
          ...chain.cluster,
          authorizer: asking ?? chain.cluster.authorizer,
          onlyWebhook: webhook,
        };
  const prepared = prepareRequest(cluster, request, {
    isHeld: true,
    now: timeOf(chain.clock),
  });
  if (prepared.failure !== undefined) {
    return { ...untouched, denial: badRequestStatus(prepared.failure), isExempt: false };
  }
  const start = (): Steps<Decision> => steps[step](prepared);
  const { decision, took, waits } = await decideNatively(start, asking, deadline);
  const times = (): readonly TimedStep[] => timesOf(decision.trace.length, took.steps);
  const assumed = (): readonly string[] =>
    generation.unknownNamespaces?.about(prepared, request) ?? [];
  const { denial, warnings, auditAnnotations, trace } = decision;
  const given = { chain, prepared };
  const findings = (): readonly Finding[] => stepAnswer(given, decision, undefined).findings;
  if (denial !== undefined || (step === 'validate' && chain.kyverno === undefined)) {
    // A literal, since spreading costs several times as much.
    return {
      denial,
      warnings,
      auditAnnotations,
      trace,
      findings,
      nativeFindings: findings,
      responses: [],
      operations: [],
      isExempt: false,
      assumed,
      times,
      waits,
      registryWaits: [],
      waited: took.waited + elapsed(waits),
      kyverno: undefined,
    };
  }
  const { object } = prepared.attributes;
  const ofStep = isScan ? chain.kyverno : chain.kyverno?.ofRequests;
  const kyverno = webhook === undefined ? ofStep : ofStep?.ofWebhook(step, webhook);
  const held =
    decision.object === object
      ? object
      : (objectForServer(prepared, decision.object) as typeof object);
  const none = { nativeFindings: findings, responses: [] };
  const native = { denial, warnings, auditAnnotations, trace, findings, ...none };
  const ask = (of: Chain['kyverno']) =>
    askKyverno(given, { step, request, decision, native, object: held, kyverno: of, isScan });
  const byKyverno = await withImages(generation.images, kyverno, ask, deadline);
  const { result, took: kyvernoTook, waits: registryWaits } = byKyverno;
  const { answer, mutated } = result;
  const isChanged = step === 'mutate' && answer.denial === undefined;
  return {
    ...answer,
    operations: isChanged ? changes(object, mutated) : [],
    isExempt: false,
    assumed,
    times,
    waits,
    registryWaits,
    waited: took.waited + kyvernoTook.waited + elapsed(waits) + elapsed(registryWaits),
    kyverno: wholeOf(chain, kyvernoTook),
  };
}

/**
 * Returns the decision of the native policies; evaluates them again while their permission checks need new answers
 * of the cluster.
 */
async function decideNatively(
  start: () => Steps<Decision>,
  asking: RequestAuthorizer | undefined,
  deadline: number,
): Promise<{
  readonly decision: Decision;
  readonly took: StepTimes;
  readonly waits: readonly TimedStep[];
}> {
  let took = new StepTimes();
  const waits: TimedStep[] = [];
  let decision = await atPace(start(), deadline, took);
  // Each round answers the questions of the previous one; new questions may depend on those answers.
  while (asking?.hasOpenQuestions === true) {
    const asked = performance.now();
    await Promise.race([asking.answer(), untilTime(deadline)]);
    waits.push({ start: asked, seconds: (performance.now() - asked) / 1000 });
    took = new StepTimes();
    decision = await atPace(start(), deadline, took);
    if (performance.now() > deadline) break;
  }
  return { decision, took, waits };
}

// The first step precedes the first policy. If policies ran twice or the evaluation ended early, each gets an equal
// share.
function timesOf(policies: number, [, ...took]: readonly TimedStep[]): readonly TimedStep[] {
  if (took.length === policies) return took;
  const all = took.reduce((sum, { seconds }) => sum + seconds, 0);
  const seconds = all / policies;
  const start = took[0]?.start ?? 0;
  return Array.from({ length: policies }, (_, index) => ({
    start: start + index * seconds * 1000,
    seconds,
  }));
}

function wholeOf({ kyverno }: Chain, { steps }: StepTimes): TimedStep | undefined {
  const [first] = steps;
  const last = steps.at(-1);
  if (kyverno === undefined || first === undefined || last === undefined) return undefined;
  return { start: first.start, seconds: (last.start - first.start) / 1000 + last.seconds };
}

function elapsed(waits: readonly TimedStep[]): number {
  return waits.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
}

interface KyvernoGivens {
  readonly step: ReviewStep;
  readonly request: AdmissionRequest;
  readonly decision: Decision;
  /** The answer of the native policies. */
  readonly native: Answer;
  /** The object after the native policies. */
  readonly object: KubernetesObject | null;
  /** The Kyverno policies to evaluate. */
  readonly kyverno: Chain['kyverno'];
  readonly isScan: boolean;
}

// As in a cluster: Kyverno's webhook is called after kube-apiserver's own policies, and not for requests that these
// deny.
function* askKyverno(
  given: Parameters<typeof stepAnswer>[0],
  { step, request, decision, native, object, kyverno, isScan }: KyvernoGivens,
): Steps<{ readonly answer: Answer; readonly mutated: KubernetesObject | null }> {
  const told = (said: Parameters<typeof stepAnswer>[2]): Answer => {
    const answer = stepAnswer(given, decision, said);
    const { nativeFindings } = native;
    const responses = said?.responses ?? [];
    return { ...answer, findings: () => answer.findings, nativeFindings, responses };
  };
  if (kyverno !== undefined && step === 'validate') {
    const asked =
      isScan && decision.object !== null
        ? kyverno.scanInSteps(request, decision.object)
        : kyverno.validateInSteps(request, decision.object);
    return { answer: told(yield* asked), mutated: object };
  }
  if (kyverno?.mutates !== true || object === null) return { answer: native, mutated: object };
  const mutated = yield* kyverno.mutateInSteps({ ...request, object }, object);
  return { answer: told(mutated), mutated: mutated.object };
}

function changes(before: KubernetesObject | null, after: KubernetesObject | null): DiffOperation[] {
  if (before === after || deepEqual(before as Json, after as Json)) return [];
  return diffJson(before as Json, after as Json);
}
