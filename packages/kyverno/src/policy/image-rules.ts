import type { JsonObject } from '@kubeadmit/apimachinery';
import { field } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { RuleResult, RuleType } from '../trace/rule-result.ts';
import type { VerifiedImages, VerifyingRule } from '../verify-images/annotations.ts';
import {
  imageGroups,
  imagesIn,
  matchingImages,
  type ObjectImage,
} from '../verify-images/images.ts';
import { validateImages } from '../verify-images/required.ts';
import { readItem } from '../verify-images/rule.ts';
import { verifyImages } from '../verify-images/verify.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { Policy } from './policy.ts';
import { type AskRule, exemption, type Handled, prepare, withAction } from './rule-gate.ts';

/** Returns the handler that verifies the images of an object by a rule; undefined for a rule that verifies none. */
export function imageVerificationBy(
  rule: CompiledRule,
  verified: VerifiedImages,
): AskRule | undefined {
  const { images: verification } = rule;
  if (verification === undefined) return undefined;
  return (state, policy) => {
    const result = resultMaker(state, policy, rule, 'ImageVerify');
    const { images: verifier } = state.sources;
    const { object } = state;
    if (verifier === undefined || object === undefined) return [];
    const groups = imageGroups(object, rule.source);
    if (groups instanceof Failure) return [result(uninstantiated(groups))];
    const images = matchingImages(groups, verification.source.map(readItem));
    if (images.length === 0) return [];
    return state.duringRule(rule.name, () => {
      showExtracted(state, rule, groups);
      const kept = prepare(state, policy, rule) ?? exemption(state, policy, rule);
      if (kept !== undefined) return [result(kept)];
      const origin = originOf(policy, rule);
      const task = { request: state, verifier, verification, origin, verified };
      const { outcomes, object: patched } = verifyImages(task, images, state.object ?? object);
      state.object = patched;
      return outcomes.map(result);
    });
  };
}

/** Returns the handler that checks digests and verified images; undefined for a rule that requires neither. */
export function imageCheckBy(rule: CompiledRule): AskRule | undefined {
  const { images: verification } = rule;
  if (!verification?.requires) return undefined;
  return (state, policy) => {
    const result = resultMaker(state, policy, rule, 'Validation');
    const { object, operation } = state;
    const isVerified = state.sources.images !== undefined;
    if (!isVerified || object === undefined || operation === 'DELETE') return [];
    const groups = imageGroups(object, rule.source);
    if (groups instanceof Failure) return [result(uninstantiated(groups))];
    if (matchingImages(groups, verification.source.map(readItem)).length === 0) return [];
    return state.duringRule(rule.name, () => {
      showExtracted(state, rule, groups);
      const images: readonly ObjectImage[] = imagesIn(groups);
      const outcome =
        prepare(state, policy, rule) ??
        exemption(state, policy, rule) ??
        validateImages(state, verification, images, originOf(policy, rule));
      return [result(outcome)];
    });
  };
}

function uninstantiated({ message }: Failure): Handled {
  return { status: 'error', message: `failed to instantiate handler: ${message}` };
}

/** The variable `images` has the images that extractors of a rule find too. */
function showExtracted(state: PolicyRequest, rule: CompiledRule, groups: JsonObject): void {
  if (field(rule.source, 'imageExtractors') !== undefined) state.context.add(['images'], groups);
}

function originOf({ name, namespace }: Policy, rule: CompiledRule): VerifyingRule {
  return { namespace, policy: name, rule: rule.name };
}

function resultMaker(
  { request }: PolicyRequest,
  policy: Policy,
  { name, images }: CompiledRule,
  type: RuleType,
): (outcome: Handled) => RuleResult {
  const source = images?.action === undefined ? {} : { failureAction: images.action };
  return (outcome) => withAction(policy, request, name, type, source, outcome);
}
