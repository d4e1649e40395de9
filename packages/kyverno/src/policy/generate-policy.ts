import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Steps } from '@kubeadmit/engine/unstable-internal';
import { type GenerationTask, generateObjects } from '../generate/generate.ts';
import { CliStore, ClusterStore, NotFound, type ObjectStore } from '../generate/object-store.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { PolicyRequest, type Request } from '../rule/request.ts';
import type { RuleResult } from '../trace/rule-result.ts';
import { backgroundOutcome } from './background.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { concerns, type Evaluation, lateMessage } from './engine.ts';
import type { Policy } from './policy.ts';

/**
 * Applies the generate rules of a policy to a request and returns the objects that they generate, as the background
 * controller creates them in a cluster, or as the Kyverno CLI does. Gives way before each rule.
 */
export function* generateByPolicy(policy: Policy, request: Request): Steps<Evaluation> {
  const { name, namespace, isNamespaced } = policy;
  const kind = isNamespaced ? 'Policy' : 'ClusterPolicy';
  request.trace?.policy({ kind, policy: name, namespace, type: 'Generation' });
  const state = new PolicyRequest(request, namespace);
  const { object } = state;
  const none = { results: [], object: object ?? state.oldObject };
  if (!concerns(policy, state)) return none;
  const asked: AskedRule[] = [];
  for (const rule of policy.mutationRules()) {
    if (!isOfBackground(rule)) continue;
    if (yield 'policy') {
      const type = typeOf(rule);
      asked.push({
        rule,
        result: { rule: rule.name, type, status: 'error', message: lateMessage },
      });
      continue;
    }
    const result = askRule(state, policy, rule);
    if (result === undefined) continue;
    asked.push({ rule, result });
    if (policy.appliesOneRule && result.status !== 'skip') break;
  }
  const results = request.isCluster
    ? resultsInCluster(state, policy, asked)
    : resultsOfCli(state, policy, asked);
  for (const result of results) {
    request.trace?.resume(result.rule);
    request.trace?.result(result);
  }
  return { ...none, results };
}

interface AskedRule {
  readonly rule: CompiledRule;
  readonly result: RuleResult;
}

/** Whether Kyverno's background controller evaluates a rule; it mutates existing objects too. */
function isOfBackground({ generation, mutation }: CompiledRule): boolean {
  return generation !== undefined || mutation?.targets !== undefined;
}

function typeOf({ generation }: CompiledRule): RuleResult['type'] {
  return generation === undefined ? 'Mutation' : 'Generation';
}

function askRule(state: PolicyRequest, policy: Policy, rule: CompiledRule): RuleResult | undefined {
  const outcome = state.duringRule(rule.name, () => backgroundOutcome(state, policy, rule));
  return outcome && { rule: rule.name, type: typeOf(rule), ...outcome };
}

/** In a cluster, only rules that apply generate, each on its own; other rules of the background are not shown. */
function resultsInCluster(
  state: PolicyRequest,
  policy: Policy,
  asked: readonly AskedRule[],
): readonly RuleResult[] {
  return asked.flatMap(({ rule, result }) => {
    if (rule.generation === undefined || result.status === 'fail') return [];
    if (result.status !== 'pass') return [result];
    state.request.trace?.resume(rule.name);
    const store = new ClusterStore(state.sources.clones?.(rule.name) ?? []);
    const generated = state.duringRule(rule.name, () => objectsOf(state, policy, rule, store));
    return generated instanceof Failure
      ? [{ ...result, status: 'error' as const, message: generated.message }]
      : [{ ...result, generated }];
  });
}

/** The CLI generates for every matching rule, whatever its result. After an error, no rule generates. */
function resultsOfCli(
  state: PolicyRequest,
  policy: Policy,
  asked: readonly AskedRule[],
): readonly RuleResult[] {
  if (asked.length === 0) return [];
  if (state.object === undefined) {
    const problem = 'a deleted object generates nothing';
    return asked.map(({ result }) => ({ ...result, problem }));
  }
  const sources = asked.flatMap(({ rule }) => state.sources.clones?.(rule.name) ?? []);
  const kinds = policy.mutationRules().flatMap(({ generation }) => generation?.listedKinds ?? []);
  const store = new CliStore([state.object, ...sources], kinds);
  const results: RuleResult[] = [];
  for (const { rule, result } of asked) {
    state.request.trace?.resume(rule.name);
    const generated = state.duringRule(rule.name, () => objectsOf(state, policy, rule, store));
    if (generated instanceof Failure) {
      return asked.map((one) => ({ ...one.result, problem: generated.message }));
    }
    results.push(rule.generation === undefined ? result : { ...result, generated });
  }
  return results;
}

/** The objects that a rule generates, as they are in the end. */
function objectsOf(
  state: PolicyRequest,
  policy: Policy,
  rule: CompiledRule,
  store: ObjectStore,
): readonly JsonObject[] | Failure {
  const { generation } = rule;
  if (generation === undefined) return [];
  const task: GenerationTask = {
    state,
    rule,
    generation,
    generator: { policy: policy.name, namespace: policy.namespace, rule: rule.name },
    trigger: state.object ?? {},
    store,
  };
  const created = generateObjects(task);
  if (created instanceof Failure) return created;
  const objects: JsonObject[] = [];
  for (const reference of created) {
    const object = store.get(reference);
    if (object instanceof NotFound) return object;
    objects.push(object);
  }
  return objects;
}
