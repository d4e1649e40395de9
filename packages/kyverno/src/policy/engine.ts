import { evaluateConditions, joinMessages } from '../conditions/evaluate.ts';
import { loadEntries } from '../context/entries.ts';
import { merged, nested, splitDottedName } from '../context/merge.ts';
import { Failure } from '../jmespath/failure.ts';
import { reasonsAgainstMatch } from '../match/match.ts';
import { metadataOf } from '../match/subject.ts';
import { mutateRule } from '../mutate/rule.ts';
import { validatePodSecurity } from '../pod-security/rule.ts';
import { validateCel } from '../validate/cel.ts';
import { validateRule } from '../validate/rule.ts';
import { isObject, type JsonObject } from '../values/value.ts';
import { exceptionsFor } from './exceptions.ts';
import { failureActionOf } from './failure-action.ts';
import { listField, objectField, objectsField, textField } from './fields.ts';
import type { Policy } from './policy.ts';
import { PolicyRequest, type Request } from './request.ts';
import { type Rule, saysSomething } from './rule.ts';
import type { RuleResult, RuleType } from './rule-result.ts';

/** What the handler of a rule says; undefined for no result. */
interface Handled {
  readonly status: RuleResult['status'];
  readonly message: string;
}

/** The results of a policy's rules and the object afterwards. */
export interface Evaluation {
  readonly results: readonly RuleResult[];
  /** The object after the rules, its integers as bigint where they were written anew; undefined after an error. */
  readonly object: JsonObject | undefined;
}

/** Applies the validate rules of a policy to a request (Kyverno's `engine.Validate`). */
export function validatePolicy(policy: Policy, request: Request): Evaluation {
  const state = new PolicyRequest(request, policy.namespace);
  if (!concerns(policy, request)) return { results: [], object: state.object };
  const results: RuleResult[] = [];
  for (const rule of policy.rulesForKind(state.kind)) {
    const { validate } = rule;
    if (validate === undefined) continue;
    const outcome = applyRule(state, policy, rule, refusalOfValidation(validate), () =>
      applyValidation(state, policy, rule, validate),
    );
    if (outcome === undefined) continue;
    results.push(withAction(policy, request, rule.name, validate, outcome));
    if (policy.appliesOneRule && isApplied(outcome)) break;
  }
  return { results, object: state.object };
}

function withAction(
  policy: Policy,
  { object, oldObject, facts }: Request,
  rule: string,
  validate: JsonObject,
  outcome: Handled,
): RuleResult {
  const result = { rule, type: 'Validation' as RuleType, ...outcome };
  if (outcome.status !== 'fail') return result;
  const namespace = textField(metadataOf(object ?? oldObject ?? {}), 'namespace');
  return {
    ...result,
    action: failureActionOf(validate, policy.spec, namespace, facts.namespaceLabels),
  };
}

/** Applies the mutate rules of a policy to a request, each to what the one before made (`engine.Mutate`). */
export function mutatePolicy(policy: Policy, request: Request): Evaluation {
  const state = new PolicyRequest(request, policy.namespace);
  if (!concerns(policy, request)) return { results: [], object: state.object };
  const results: RuleResult[] = [];
  for (const rule of policy.mutationRules()) {
    const { mutate } = rule;
    const isLeftToBackground =
      mutate !== undefined && request.isCluster && objectsField(mutate, 'targets').length > 0;
    if (mutate === undefined || isLeftToBackground) continue;
    const outcome = applyRule(state, policy, rule, refusalOf(mutate), () => {
      const exempted = exemption(state, policy, rule);
      if (exempted !== undefined) return exempted;
      const { object, ...handled } = mutateRule(state, rule, mutate);
      state.object = object;
      return handled;
    });
    if (outcome === undefined) continue;
    results.push({ rule: rule.name, type: 'Mutation', ...outcome });
    if (policy.appliesOneRule && isApplied(outcome)) break;
  }
  return { results, object: state.object };
}

function isApplied({ status }: Handled): boolean {
  return status === 'pass' || status === 'fail';
}

/** A namespaced policy concerns only objects of its namespace. */
function concerns({ isNamespaced, namespace }: Policy, { object, oldObject }: Request): boolean {
  if (!isNamespaced) return true;
  const wanted = namespace === '' ? 'default' : namespace;
  return [object, oldObject].every(
    (one) => one === undefined || textField(metadataOf(one), 'namespace') === wanted,
  );
}

/** Signatures of manifests cannot be verified without keys and a network. */
function refusalOfValidation(validate: JsonObject): Handled | undefined {
  const manifests = objectField(validate, 'manifests');
  if (manifests === undefined || listField(manifests, 'attestors').length === 0) return undefined;
  const message = 'failed to verify manifest: validate.manifests is not supported';
  return { status: 'error', message };
}

function applyValidation(
  state: PolicyRequest,
  policy: Policy,
  rule: Rule,
  validate: JsonObject,
): Handled | undefined {
  if (saysSomething(objectField(validate, 'podSecurity'))) {
    return validatePodSecurity(state, policy, rule, validate);
  }
  const exempted = exemption(state, policy, rule);
  if (exempted !== undefined) return exempted;
  return saysSomething(objectField(validate, 'cel'))
    ? validateCel(state, rule, validate)
    : validateRule(state, rule, validate, policy.spec);
}

function exemption(state: PolicyRequest, policy: Policy, rule: Rule): Handled | undefined {
  const { object, oldObject } = state.request;
  const exceptions = exceptionsFor(state, policy.key, rule.name, object ?? oldObject ?? {});
  if (exceptions.length === 0) return undefined;
  const keys = exceptions.map((exception) => exception.key).join(', ');
  return { status: 'skip', message: `rule is skipped due to policy exceptions${keys}` };
}

/** Objects other than that of the request cannot be mutated without a cluster. */
function refusalOf(mutate: JsonObject): Handled | undefined {
  if (objectsField(mutate, 'targets').length === 0) return undefined;
  const reason =
    'Handler factory requires a client but a nil client was passed, likely due to a bug or unsupported operation.';
  return { status: 'error', message: `failed to instantiate handler: ${reason}` };
}

/** What every rule goes through: match, context, preconditions, exceptions, then its own handler. */
function applyRule(
  state: PolicyRequest,
  policy: Policy,
  rule: Rule,
  refusal: Handled | undefined,
  handle: () => Handled | undefined,
): Handled | undefined {
  const matched = state.object ?? state.oldObject;
  if (matched === undefined) return undefined;
  if (reasonsAgainstMatch(rule.match, state.subjectOf(matched), policy.namespace).length > 0) {
    return undefined;
  }
  if (refusal !== undefined) return refusal;
  state.enterRule(rule.name);
  state.context.checkpoint();
  try {
    return prepare(state, policy, rule) ?? handle();
  } finally {
    state.context.restore();
    if (state.object !== undefined) state.showObject('object', state.object);
  }
}

/** Given values of `request.object` change the object itself, unless it is a cluster's. */
function writeValues(state: PolicyRequest): void {
  const { sources } = state;
  if (state.request.isCluster || state.object === undefined) return;
  for (const [name, value] of sources.values ?? []) {
    const [request, part, ...path] = splitDottedName(name);
    if (request !== 'request' || part !== 'object' || path.length === 0) continue;
    const addition = nested(path, value);
    if (isObject(addition)) state.object = merged(state.object, addition);
  }
}

/** The outcome that keeps the handler from running, if there is one. */
function prepare(state: PolicyRequest, policy: Policy, rule: Rule): Handled | undefined {
  writeValues(state);
  const problem = loadEntries(state.context, rule.context, state.sources, policyNamespace(policy));
  if (problem !== undefined)
    return { status: 'error', message: `failed to load context: ${problem.message}` };
  const conditions =
    rule.preconditions instanceof Failure
      ? rule.preconditions
      : evaluateConditions(state.context, rule.preconditions);
  if (conditions instanceof Failure) {
    return { status: 'error', message: `failed to evaluate preconditions: ${conditions.message}` };
  }
  if (!conditions.result) {
    const message = joinMessages(['preconditions not met', conditions.message], '; ');
    return { status: 'skip', message };
  }
  return undefined;
}

function policyNamespace({ isNamespaced, namespace }: Policy): string {
  return isNamespaced ? namespace : '';
}
