import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import { unreadiness } from '../conditions/readiness.ts';
import { merged, nested, splitDottedName } from '../context/merge.ts';
import { metadataText } from '../fields/fields.ts';
import { exceptionsFor } from '../rule/exceptions.ts';
import { failureActionOf } from '../rule/failure-action.ts';
import type { PolicyRequest, Request } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import type { RuleResult, RuleType } from '../trace/rule-result.ts';
import type { Policy } from './policy.ts';

/** The result of a rule's handler. */
export type Handled = Pick<
  RuleResult,
  'status' | 'message' | 'target' | 'exceptions' | 'properties'
>;

/** Asks a rule about a request. */
export type AskRule = (state: PolicyRequest, policy: Policy) => readonly RuleResult[];

/** Returns the result of a rule with the effective action if it failed. */
export function withAction(
  policy: Policy,
  { object, oldObject, facts }: Request,
  rule: string,
  type: RuleType,
  source: JsonObject,
  { status, message, exceptions, properties }: Handled,
): RuleResult {
  const plain = { rule, type, status, message };
  const result =
    exceptions === undefined && properties === undefined
      ? plain
      : { ...plain, ...defined({ exceptions, properties }) };
  if (status !== 'fail') return result;
  const namespace = metadataText(object ?? oldObject, 'namespace');
  const action = failureActionOf(source, policy.spec, namespace, facts.namespaceLabels);
  return { ...result, action };
}

/** Returns the outcome of a rule that an exception skips; undefined if none does. */
export function exemption(state: PolicyRequest, policy: Policy, rule: Rule): Handled | undefined {
  const { object, oldObject, exceptions: given } = state.request;
  if (given.length === 0) return undefined;
  const exceptions = exceptionsFor(state, policy.key, rule.name, object ?? oldObject ?? {});
  if (exceptions.length === 0) return undefined;
  const keys = exceptions.map((exception) => exception.key);
  const message = `rule is skipped due to policy exceptions${keys.join(', ')}`;
  return { status: 'skip', message, exceptions: keys };
}

/** Given values of `request.object` change the object itself, unless it is a cluster's. */
function writeValues(state: PolicyRequest): void {
  const { values } = state.sources;
  if (values === undefined || values.size === 0) return;
  if (state.request.isCluster || state.object === undefined) return;
  for (const [name, value] of values) {
    const [request, part, ...path] = splitDottedName(name);
    if (request !== 'request' || part !== 'object' || path.length === 0) continue;
    const addition = nested(path, value);
    if (isObject(addition)) state.object = merged(state.object, addition);
  }
}

/**
 * Evaluates the requirements of a rule. Returns the outcome that prevents its handler from running, if there is
 * one.
 */
export function prepare(state: PolicyRequest, policy: Policy, rule: Rule): Handled | undefined {
  writeValues(state);
  const namespace = policy.isNamespaced ? policy.namespace : '';
  return unreadiness(state.context, rule, state.sources, namespace);
}
