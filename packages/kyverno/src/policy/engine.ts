import type { JsonObject } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import { interruptedText, isInterrupted } from '@kubeadmit/cel/unstable-internal';
import type { Steps } from '@kubeadmit/engine/unstable-internal';
import { metadataText } from '../fields/fields.ts';
import { concernsSubject } from '../match/match.ts';
import { traceMatch } from '../match/match-trace.ts';
import { type Mutation, mutateObject } from '../mutate/rule.ts';
import { findAmong, mutateTargets } from '../mutate/targets.ts';
import { validatePodSecurity } from '../pod-security/rule.ts';
import { PolicyRequest, type Request } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import type { RuleResult, RuleType } from '../trace/rule-result.ts';
import type { KeptReason } from '../trace/rule-trace.ts';
import { validateCel } from '../validate/cel.ts';
import { validateRule } from '../validate/rule.ts';
import { VerifiedImages } from '../verify-images/annotations.ts';
import type { CompiledRule, ManifestsHandler, Validation } from './compiled-rule.ts';
import { isExcludedUser, isFiltered } from './filtered-requests.ts';
import { imageCheckBy, imageVerificationBy } from './image-rules.ts';
import { unmetConditions } from './match-conditions.ts';
import type { Policy } from './policy.ts';
import { withProperties } from './report-properties.ts';
import { type AskRule, exemption, type Handled, prepare, withAction } from './rule-gate.ts';
import { uncalledReason, type WebhookStep } from './webhook.ts';

/** The error of rules whose turn came too late. */
export const lateMessage = 'the time of the request was up before the rule was evaluated';

/** The results of a policy's rules and the object afterwards. */
export interface Evaluation {
  readonly results: readonly RuleResult[];
  /** The object after the rules, with rewritten integers as bigint; `undefined` after an error. */
  readonly object: JsonObject | undefined;
}

/** Applies the validate rules of a policy to a request (Kyverno's `engine.Validate`), and pauses before each. */
export function validatePolicy(policy: Policy, request: Request): Steps<Evaluation> {
  return askRules(policy, request, 'Validation');
}

/**
 * Applies the mutate rules of a policy to a request, each to the result of the previous one (`engine.Mutate`), and
 * yields before each.
 */
export function mutatePolicy(policy: Policy, request: Request): Steps<Evaluation> {
  return askRules(policy, request, 'Mutation');
}

/**
 * Verifies the images of an object by the rules of a policy, and adds digests and annotations to it
 * (`engine.VerifyAndPatchImages`). Gives way before each rule.
 */
export function* verifyPolicyImages(policy: Policy, request: Request): Steps<Evaluation> {
  const verified = new VerifiedImages();
  const { results, object } = yield* askRules(policy, request, 'ImageVerify', verified);
  return { results, object: object && verified.annotate(object) };
}

function* askRules(
  policy: Policy,
  request: Request,
  type: RuleType,
  verified: VerifiedImages = new VerifiedImages(),
): Steps<Evaluation> {
  const { name, namespace, isNamespaced } = policy;
  const kind = isNamespaced ? 'Policy' : 'ClusterPolicy';
  request.trace?.policy({ kind, policy: name, namespace, type });
  const state = new PolicyRequest(request, namespace);
  const isMutation = type === 'Mutation';
  const isValidation = type === 'Validation';
  const kept = keptFrom(policy, state, isValidation ? 'validate' : 'mutate');
  if (kept !== undefined) {
    recordKept(kept, { state, policy });
    const results = kept.type === 'webhook' ? [webhookFailure(kept.failure, type)] : [];
    // A mutating policy that concerns nothing hands on the old object where there is no new one.
    return { results, object: state.object ?? (isMutation ? state.oldObject : undefined) };
  }
  const results: RuleResult[] = [];
  for (const rule of isValidation ? policy.rulesForKind(state.kind) : policy.mutationRules()) {
    const ask = askBy(rule, type, verified);
    if (ask === undefined || !concernsRule(state, policy, rule)) continue;
    if (yield 'policy') {
      results.push({ rule: rule.name, type, status: 'error', message: lateMessage });
      continue;
    }
    const made = askInTime(ask, { state, policy, rule, type });
    for (const result of made) {
      request.trace?.result(result);
      results.push(result);
    }
    if (policy.appliesOneRule && made.some(isApplied)) break;
  }
  return { results, object: state.object };
}

function webhookFailure(message: string, type: RuleType): RuleResult {
  return { rule: '', type, status: 'error', message, isWebhookFailure: true };
}

function askBy(rule: CompiledRule, type: RuleType, verified: VerifiedImages): AskRule | undefined {
  if (type === 'Mutation') return mutationBy(rule);
  if (type === 'ImageVerify') return imageVerificationBy(rule, verified);
  return validationBy(rule) ?? imageCheckBy(rule);
}

interface Asking {
  readonly state: PolicyRequest;
  readonly policy: Policy;
  readonly rule: CompiledRule;
  readonly type: RuleType;
}

/**
 * Evaluates a rule. An interrupted rule gets an error as its result: the part that it skipped when its time was up must
 * not count as passed.
 */
function askInTime(ask: AskRule, { state, policy, rule, type }: Asking): readonly RuleResult[] {
  const { object } = state;
  const made = ask(state, policy);
  if (!isInterrupted()) return made;
  state.object = object;
  return [{ rule: rule.name, type, status: 'error', message: interruptedText }];
}

function validationBy(rule: CompiledRule): AskRule | undefined {
  const { validation } = rule;
  if (validation === undefined) return undefined;
  return (state, policy) => {
    const outcome =
      validation.kind === 'manifests'
        ? noManifests
        : state.duringRule(
            rule.name,
            () =>
              prepare(state, policy, rule) ??
              withProperties(state, rule, applyValidation(state, policy, rule, validation)),
          );
    if (outcome === undefined) return [];
    return [withAction(policy, state.request, rule.name, 'Validation', validation.source, outcome)];
  };
}

function mutationBy(rule: CompiledRule): AskRule | undefined {
  const { mutation } = rule;
  if (mutation === undefined) return undefined;
  return (state, policy) => {
    const { isCluster, existing } = state.request;
    const hasTargets = mutation.targets !== undefined;
    // In a cluster the background controller mutates existing objects, later.
    if (hasTargets && isCluster) return [];
    const outcomes =
      hasTargets && existing === undefined
        ? [noCluster]
        : applyMutateRule(state, policy, rule, mutation);
    return outcomes.map(({ status, message, target, exceptions }) => {
      const plain = { rule: rule.name, type: 'Mutation' as const, status, message };
      return { ...plain, ...defined({ target, exceptions }) };
    });
  };
}

function applyMutateRule(
  state: PolicyRequest,
  policy: Policy,
  rule: Rule,
  mutation: Mutation,
): readonly Handled[] {
  return state.duringRule(rule.name, () => {
    const kept = prepare(state, policy, rule) ?? exemption(state, policy, rule);
    if (kept !== undefined) return [kept];
    const { targets } = mutation;
    if (targets) {
      return mutateTargets(state, mutation, targets, findAmong(state.request.existing ?? []));
    }
    const { status, message, object } = mutateObject(state, mutation, state.object);
    state.object = object;
    return [{ status, message }];
  });
}

function isApplied({ status }: Handled): boolean {
  return status === 'pass' || status === 'fail';
}

/** Whether the background controller evaluates a policy for a request that its validating webhook received. */
export function concerns(policy: Policy, state: PolicyRequest): boolean {
  const kept = keptFrom(policy, state, 'validate');
  if (kept !== undefined) recordKept(kept, { state, policy });
  return kept === undefined;
}

/** Records why no rule of a policy is evaluated, and whether one of them would select the object. */
function recordKept(kept: KeptReason, { state, policy }: Pick<Asking, 'state' | 'policy'>): void {
  const { trace } = state.request;
  if (trace === undefined) return;
  const object = state.object ?? state.oldObject;
  const subject = object && state.subjectOf(object);
  const selects = policy
    .mutationRules()
    .some(({ match }) => subject && concernsSubject(match, subject, policy.namespace));
  trace.keep({ ...kept, selects });
}

/** Why a policy does not concern a request at all: its webhook, or Kyverno's `MatchPolicyContext`. */
function keptFrom(policy: Policy, state: PolicyRequest, step: WebhookStep): KeptReason | undefined {
  const uncalled = uncalledReason(policy, state, step);
  if (uncalled !== undefined) return uncalled;
  const { isNamespaced, namespace, matchConditions } = policy;
  const { request } = state;
  if (isNamespaced) {
    const wanted = namespace === '' ? 'default' : namespace;
    const object = [request.object, request.oldObject].find((one) => isElsewhere(one, wanted));
    if (object !== undefined) {
      return { type: 'namespace', wanted, found: metadataText(object, 'namespace') };
    }
  }
  if (isFiltered(request)) return { type: 'resourceFilters' };
  if (isExcludedUser(request)) return { type: 'excludedUser' };
  const unmet = matchConditions && unmetConditions(matchConditions(), state);
  return unmet && { type: 'matchConditions', ...unmet };
}

function isElsewhere(object: JsonObject | undefined, namespace: string): boolean {
  return object !== undefined && metadataText(object, 'namespace') !== namespace;
}

/** Signatures of manifests cannot be verified without keys and a network. */
const noManifests: Handled = {
  status: 'error',
  message: 'failed to verify manifest: validate.manifests is not supported',
};

function applyValidation(
  state: PolicyRequest,
  policy: Policy,
  rule: Rule,
  validation: Exclude<Validation, ManifestsHandler>,
): Handled | undefined {
  // This handler asks for exceptions itself, since they may be about some controls alone.
  if (validation.kind === 'podSecurity') {
    return validatePodSecurity(state, policy, rule, validation);
  }
  const exempted = exemption(state, policy, rule);
  if (exempted !== undefined) return exempted;
  return validation.kind === 'cel'
    ? validateCel(state, rule, validation)
    : validateRule(state, rule, validation, policy.spec);
}

/** Objects other than that of the request cannot be mutated where none are given. */
const noCluster: Handled = {
  status: 'error',
  message:
    'failed to instantiate handler: Handler factory requires a client but a nil client was passed, likely due to a bug or unsupported operation.',
};

/** Whether a rule concerns the object of a request. */
function concernsRule(state: PolicyRequest, policy: Policy, rule: Rule): boolean {
  const matched = state.object ?? state.oldObject;
  if (matched === undefined) return false;
  const subject = state.subjectOf(matched);
  const { trace } = state.request;
  if (trace === undefined) return concernsSubject(rule.match, subject, policy.namespace);
  const match = traceMatch(rule.match, subject, policy.namespace);
  trace.rule(rule, match);
  return match.concerns;
}
