import {
  compileLabelSelector,
  formatGroupVersionResource,
  type GroupVersionKind,
  type GroupVersionResource,
  type Labels,
  labelsOf,
  type Selector,
  sameResource,
} from '@kubeadmit/apimachinery';
import { requireArgument } from '@kubeadmit/base';
import type { MatchResources, RequestAttributes } from '@kubeadmit/engine';
import { hasNoMetadata } from '@kubeadmit/engine/unstable-internal';
import { quote } from '@kubeadmit/go';
import { requireAttributes, requireEnvironment, requireMatch } from './arguments.ts';
import { type CompiledRule, compileRule, type RulePart } from './resource-rule.ts';

/** Cluster state that matching depends on. */
export interface MatchEnvironment {
  /** Returns the labels of a namespace, or `undefined` if the namespace does not exist. */
  namespaceLabels(name: string): Labels | undefined;
  /** All resources that hold the same objects, in the order in which they were registered. */
  equivalents(resource: GroupVersionResource): readonly GroupVersionResource[];
  /** The kind of a resource or subresource; `undefined` when it is unknown. */
  kindFor(resource: GroupVersionResource, subresource: string): GroupVersionKind | undefined;
}

/** Why a policy or binding is about a request, or why not. */
export type MatchReason =
  /** There are no rules, so that all requests fit. */
  | { readonly type: 'noRules' }
  /** The rule with this index fits. */
  | { readonly type: 'rule'; readonly rule: number }
  /** The rule with this index fits the same objects in another version (`matchPolicy: Equivalent`). */
  | {
      readonly type: 'equivalentRule';
      readonly rule: number;
      readonly resource: GroupVersionResource;
    }
  /** The rule with this index of `excludeResourceRules` fits. */
  | { readonly type: 'excluded'; readonly rule: number }
  /** The namespace's labels do not satisfy the selector. */
  | { readonly type: 'namespaceSelector' }
  /** The labels of the objects are not. */
  | { readonly type: 'objectSelector' }
  /** No rule fits; `parts` has for each rule the first part that does not. */
  | { readonly type: 'noRuleFits'; readonly parts: readonly RulePart[] }
  /** Matching failed; the result contains the message. */
  | { readonly type: 'error' };

/** Whether a policy or binding is about a request. */
export type MatchResult =
  /** It is about the request. */
  | {
      readonly outcome: 'match';
      /** The resource and kind in whose version the policy wants to see the object. */
      readonly resource: GroupVersionResource;
      readonly kind: GroupVersionKind;
      readonly reason: MatchReason;
    }
  /** It is not. */
  | { readonly outcome: 'noMatch'; readonly reason: MatchReason }
  /** Matching failed with kube-apiserver's message; the failure policy decides. */
  | { readonly outcome: 'error'; readonly message: string; readonly reason: MatchReason };

/** Compiled match criteria. */
export interface CompiledMatch {
  /** Selects the namespaces of requests. */
  readonly namespaceSelector: Selector;
  /** Selects objects; one of the old and the new one is enough. */
  readonly objectSelector: Selector;
  /** One of them has to match. */
  readonly rules: readonly CompiledRule[];
  /** None of them may match. */
  readonly excluded: readonly CompiledRule[];
  /** Whether other versions of a resource count as well (`matchPolicy: Equivalent`). */
  readonly equivalent: boolean;
}

const criteria = {
  what: 'the `matchConstraints` of a policy or the `matchResources` of a binding',
  whole: {
    members: ['kind', 'metadata', 'spec', 'matchConstraints', 'matchResources'],
    called: 'the object that contains them, which would match everything',
  },
};

/**
 * Prepares `matchConstraints` or `matchResources`.
 *
 * @throws TypeError for any other value
 */
export function compileMatch(match: MatchResources): CompiledMatch {
  requireArgument('compileMatch', match, criteria);
  return {
    namespaceSelector: compileLabelSelector(match.namespaceSelector),
    objectSelector: compileLabelSelector(match.objectSelector),
    rules: (match.resourceRules ?? []).map(compileRule),
    excluded: (match.excludeResourceRules ?? []).map(compileRule),
    equivalent: match.matchPolicy === 'Equivalent',
  };
}

/**
 * Decides whether a policy or binding matches a request.
 *
 * An error of the namespace selector is reported only if everything else matches. Follows `matchCriteria` in
 * apiserver `pkg/admission/plugin/policy/matching`.
 *
 * @throws TypeError if `match` was not created by `compileMatch`, or the attributes are invalid
 */
export function matchRequest(
  match: CompiledMatch,
  request: RequestAttributes,
  environment: MatchEnvironment,
): MatchResult {
  requireMatch('matchRequest', match);
  requireAttributes('matchRequest', request);
  requireEnvironment('matchRequest', environment);
  const namespace = matchNamespace(match.namespaceSelector, request, environment);
  if (namespace === false) return { outcome: 'noMatch', reason: { type: 'namespaceSelector' } };
  if (!matchObjects(match.objectSelector, request)) {
    return { outcome: 'noMatch', reason: { type: 'objectSelector' } };
  }
  if (match.excluded.length > 0) {
    const excluded = matchRules(match.excluded, match.equivalent, request, environment);
    if (excluded.outcome === 'error') return excluded;
    if (excluded.outcome === 'match') {
      const { reason } = excluded;
      const rule = 'rule' in reason ? reason.rule : 0;
      return { outcome: 'noMatch', reason: { type: 'excluded', rule } };
    }
  }
  const result: MatchResult =
    match.rules.length === 0
      ? {
          outcome: 'match',
          resource: request.resource,
          kind: request.kind,
          reason: { type: 'noRules' },
        }
      : matchRules(match.rules, match.equivalent, request, environment);
  if (result.outcome !== 'match' || namespace === true) return result;
  return { outcome: 'error', message: namespace, reason: { type: 'error' } };
}

// True, false, or the text of an error.
function matchNamespace(
  selector: Selector,
  request: RequestAttributes,
  environment: MatchEnvironment,
): boolean | string {
  const isNamespaces = request.resource.resource === 'namespaces';
  if (request.namespace === '' && !isNamespaces) return true;
  if (selector.empty) return true;
  const { operation, subresource } = request;
  if (isNamespaces && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    if (request.object !== null) return selector.matches(labelsOf(request.object));
    return 'Internal error occurred: object does not implement the Object interfaces';
  }
  const labels = environment.namespaceLabels(request.namespace);
  if (labels === undefined) return `namespaces ${quote(request.namespace)} not found`;
  return selector.matches(labels);
}

function matchObjects(selector: Selector, request: RequestAttributes): boolean {
  if (selector.empty) return true;
  if (hasNoMetadata(request.kind)) return false;
  return [request.object, request.oldObject].some(
    (object) => object !== null && selector.matches(labelsOf(object)),
  );
}

// Made once, and so frozen: a rule of every policy fits some request.
const ruleReasons: MatchReason[] = [];

function ruleReason(rule: number): MatchReason {
  ruleReasons[rule] ??= Object.freeze({ type: 'rule', rule });
  return ruleReasons[rule];
}

function matchRules(
  rules: readonly CompiledRule[],
  equivalent: boolean,
  request: RequestAttributes,
  environment: MatchEnvironment,
): MatchResult {
  const { resource, kind } = request;
  let parts: RulePart[] | undefined;
  for (let rule = 0; rule < rules.length; rule++) {
    const part = (rules[rule] as CompiledRule).mismatch(request, resource);
    if (part === undefined) {
      return { outcome: 'match', resource, kind, reason: ruleReason(rule) };
    }
    parts ??= [];
    parts.push(part);
  }
  const noMatch: MatchResult = {
    outcome: 'noMatch',
    reason: { type: 'noRuleFits', parts: parts ?? [] },
  };
  if (!equivalent || rules.length === 0) return noMatch;
  const others = otherResources(request, environment);
  for (const [rule, { mismatch }] of rules.entries()) {
    for (const resource of others) {
      const part = mismatch(request, resource);
      if (!fitsButForName(part)) continue;
      const kind = environment.kindFor(resource, request.subresource);
      if (kind === undefined) {
        const message = `unable to convert to ${formatGroupVersionResource(resource)}: unknown kind`;
        return { outcome: 'error', message, reason: { type: 'error' } };
      }
      if (part === 'name') continue;
      const reason: MatchReason = { type: 'equivalentRule', rule, resource };
      return { outcome: 'match', resource, kind, reason };
    }
  }
  return noMatch;
}

function otherResources(
  { resource }: RequestAttributes,
  environment: MatchEnvironment,
): readonly GroupVersionResource[] {
  return environment.equivalents(resource).filter((other) => !sameResource(other, resource));
}

/**
 * Returns the possible outcomes of matching for all requests of this kind, whatever their objects and names: `none`
 * if the criteria never match, `error` if matching may fail.
 */
export function prospectOf(
  match: CompiledMatch,
  request: RequestAttributes,
  environment: MatchEnvironment,
): 'none' | 'match' | 'error' {
  const labels = knownLabels(match.namespaceSelector, request, environment);
  if (labels !== undefined && !match.namespaceSelector.matches(labels)) return 'none';
  const mayFail =
    (labels === undefined && !match.namespaceSelector.empty) ||
    (match.equivalent && match.excluded.length > 0);
  if (match.rules.length === 0) return mayFail ? 'error' : 'match';
  const parts = match.rules.map((rule) => rule.mismatch(request, request.resource));
  if (parts.includes(undefined)) return mayFail ? 'error' : 'match';
  const others = match.equivalent ? otherResources(request, environment) : [];
  const fitsOther = match.rules.some((rule) =>
    others.some((other) => fitsButForName(rule.mismatch(request, other))),
  );
  if (fitsOther) return 'error';
  if (parts.includes('name')) return mayFail ? 'error' : 'match';
  return match.equivalent && match.excluded.length > 0 ? 'error' : 'none';
}

/**
 * Whether the outcome of matching depends on the objects of a request.
 *
 * @throws TypeError if `match` was not created by `compileMatch`, or the attributes are invalid
 */
export function dependsOnObject(match: CompiledMatch, request: RequestAttributes): boolean {
  requireMatch('dependsOnObject', match);
  requireAttributes('dependsOnObject', request);
  if (!match.objectSelector.empty) return true;
  return request.resource.resource === 'namespaces' && !match.namespaceSelector.empty;
}

function fitsButForName(part: RulePart | undefined): boolean {
  return part === undefined || part === 'name';
}

// The labels of the request's namespace, where they decide and are the same for all such requests.
function knownLabels(
  selector: Selector,
  { namespace, resource }: RequestAttributes,
  environment: MatchEnvironment,
): Labels | undefined {
  if (selector.empty || namespace === '' || resource.resource === 'namespaces') return undefined;
  return environment.namespaceLabels(namespace);
}
