import type { JsonObject } from '@kubeadmit/apimachinery';
import { loadEntries } from '../context/entries.ts';
import { generateByRule, MissingSource } from '../generate/generate.ts';
import { ClusterStore, NotFound } from '../generate/object-store.ts';
import type { Generation } from '../generate/rule.ts';
import { makeRequest, ObjectForms, PolicyRequest, type RequestSetting } from '../rule/request.ts';
import { backgroundOutcome, concernsObject } from './background.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { concerns } from './engine.ts';
import type { Policy } from './policy.ts';

/** The objects that a generate rule wants because of a trigger. */
export interface WantedObjects {
  /** The name of the rule. */
  readonly rule: string;
  /**
   * `exact`: exactly these objects exist because of the trigger; `none`: the rule does not apply, so that none does;
   * `unknown`: the present objects stay, since an exception applies or there was an error.
   */
  readonly extent: 'exact' | 'none' | 'unknown';
  /** The objects; empty unless the extent is `exact`. */
  readonly objects: readonly JsonObject[];
  /** Why objects are missing; empty if none is. */
  readonly problem: string;
}

interface GeneratingRule extends CompiledRule {
  readonly generation: Generation;
}

/** Returns the generate rules of a policy in their order. */
export function generatingRules(policy: Policy): readonly GeneratingRule[] {
  return policy
    .mutationRules()
    .filter((rule): rule is GeneratingRule => rule.generation !== undefined);
}

/**
 * Returns the objects that the generate rules of a policy want because of an object in a cluster.
 *
 * The result depends only on the arguments: it is the same however often the object changed before.
 */
export function wantedObjects(
  policy: Policy,
  trigger: JsonObject,
  setting: RequestSetting,
): readonly WantedObjects[] {
  const forms = new ObjectForms(trigger);
  // Rules see the object of a deletion as the new one, too.
  const isDeletion = setting.operation === 'DELETE';
  const made = makeRequest(
    isDeletion ? { ...setting, operation: 'UPDATE' } : setting,
    forms,
    forms,
  );
  const request = isDeletion ? { ...made, operation: setting.operation } : made;
  const state = new PolicyRequest(request, policy.namespace);
  const isConcerned = concerns(policy, state);
  const wanted: WantedObjects[] = [];
  let isDone = false;
  for (const rule of generatingRules(policy)) {
    const ofRule: WantedObjects =
      isConcerned && !isDone
        ? state.duringRule(rule.name, () => wantedByRule(state, policy, rule))
        : nothing(rule);
    wanted.push(ofRule);
    isDone ||= policy.appliesOneRule && ofRule.extent === 'exact';
  }
  return wanted;
}

function nothing({ name: rule }: CompiledRule): WantedObjects {
  return { rule, extent: 'none', objects: [], problem: '' };
}

function wantedByRule(state: PolicyRequest, policy: Policy, rule: GeneratingRule): WantedObjects {
  const unknown = (problem: string): WantedObjects => ({
    rule: rule.name,
    extent: 'unknown',
    objects: [],
    problem,
  });
  if (!concernsObject(state, policy, rule, 'object')) return nothing(rule);
  const unloaded = loadEntries(state.context, rule.context, state.sources, state.policyNamespace);
  if (unloaded !== undefined) {
    return unknown(`failed to load rule level context: ${unloaded.message}`);
  }
  const outcome = backgroundOutcome(state, policy, rule);
  if (outcome === undefined || outcome.status === 'fail') return nothing(rule);
  if (outcome.status === 'error') return unknown(outcome.message);
  if (outcome.status === 'skip') {
    // Only a rule that an exception skips has a message.
    return outcome.message === '' ? nothing(rule) : unknown('');
  }
  const { wanted, problem } = generateByRule({
    state,
    rule,
    generation: rule.generation,
    generator: { policy: policy.name, namespace: policy.namespace, rule: rule.name },
    trigger: state.object ?? {},
    store: new ClusterStore(state.sources.clones?.(rule.name) ?? []),
  });
  const isExact =
    problem === undefined || problem instanceof MissingSource || problem instanceof NotFound;
  return {
    rule: rule.name,
    extent: isExact ? 'exact' : 'unknown',
    objects: wanted,
    problem: problem?.message ?? '',
  };
}
