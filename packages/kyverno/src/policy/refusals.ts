import { reasonsAgainstMatch } from '../match/match.ts';
import { objectField } from './fields.ts';
import type { Policy } from './policy.ts';
import { PolicyRequest, type Request } from './request.ts';
import { type Rule, saysSomething } from './rule.ts';

/** A rule that concerns a request and cannot be judged without a network or a cluster. */
export interface Refusal {
  readonly rule: string;
  /** What kind of rule it is, and why it is not judged. */
  readonly message: string;
}

/**
 * The rules of a policy that concern a request and give no result although Kyverno would act on them: those that
 * generate objects and those that verify the signatures of images.
 *
 * Whoever reports results must report these too, so that they are not taken for passed.
 */
export function refusedRules(policy: Policy, request: Request): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const state = new PolicyRequest(request, policy.namespace);
  const object = state.object ?? state.oldObject;
  if (object === undefined) return refusals;
  for (const rule of policy.rulesForKind(state.kind)) {
    const message = refusalMessage(rule);
    if (message === undefined) continue;
    const reasons = reasonsAgainstMatch(rule.match, state.subjectOf(object), policy.namespace);
    if (reasons.length === 0) refusals.push({ rule: rule.name, message });
  }
  return refusals;
}

function refusalMessage({ source }: Rule): string | undefined {
  if (saysSomething(objectField(source, 'generate'))) {
    return 'rules that generate objects need a cluster and are not evaluated';
  }
  const { verifyImages } = source;
  if (Array.isArray(verifyImages) && verifyImages.length > 0) {
    return 'rules that verify images need a registry and keys and are not evaluated';
  }
  return undefined;
}
