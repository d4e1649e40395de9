import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { unreadiness } from '../conditions/readiness.ts';
import { metadataText, objectField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { type KindSelector, parseKindSelector, selectsKind } from '../match/kind.ts';
import { compileSelector, isSelected } from '../match/selector.ts';
import { labelsOf, objectKindOf } from '../match/subject.ts';
import { hasWildcard, matchesWildcard } from '../match/wildcard.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { RuleStatus } from '../trace/rule-result.ts';
import { substitute } from '../variables/substitute.ts';
import { type Mutation, mutateObject } from './rule.ts';
import type { Target } from './target.ts';

/** The result for one existing object that a rule mutates. */
export interface TargetOutcome {
  /** The status of the rule for the object. */
  readonly status: RuleStatus;
  /** The message of the rule. */
  readonly message: string;
  /** The object afterwards, where the rule changed it. */
  readonly target?: JsonObject;
  /** The object before; undefined if no object was found. */
  readonly before?: JsonObject;
  /** The part of the object that is mutated, such as `status`; empty for the object itself. */
  readonly subresource?: string;
}

/** The existing objects that a policy reads. */
export interface TargetQuery extends KindSelector {
  /** The plural of the resource, in the place of the kind. */
  readonly resource?: string;
  /** Empty for all namespaces; may contain wildcards, as may the name. */
  readonly namespace: string;
  /** Empty for all names. */
  readonly name: string;
}

/** Returns the objects that a query selects, and maybe others, or the reason why they cannot be read. */
export type FindTargets = (query: TargetQuery) => readonly JsonObject[] | string;

/** Finds targets among objects. */
export function findAmong(existing: readonly JsonObject[]): FindTargets {
  return (query) =>
    existing.filter((object) =>
      selectsKind({ ...query, subresource: '' }, objectKindOf(object), ''),
    );
}

/**
 * Applies a rule with `mutate.targets` to the existing objects that it selects (Kyverno's `mutate_existing`).
 *
 * The object of the request is not modified.
 */
export function mutateTargets(
  request: PolicyRequest,
  mutation: Mutation,
  targets: readonly Target[],
  find: FindTargets,
): readonly TargetOutcome[] {
  const problems: string[] = [];
  const found: FoundTarget[] = [];
  for (const [at, target] of targets.entries()) {
    const objects = targetsOf(request, target, at, find);
    if (typeof objects === 'string') problems.push(objects);
    else found.push(...objects);
  }
  const { trace } = request.context;
  const outcomes = found.map(({ target, object, subresource }) => {
    trace?.open();
    const outcome = mutateTarget(request, mutation, target, object);
    const name = `${stringField(object, 'kind')}/${metadataText(object, 'name')}`;
    trace?.close({ kind: 'target', ...outcome, target: name });
    return { ...outcome, before: object, subresource };
  });
  const error: TargetOutcome = { status: 'error', message: `: ${problems.join('; ')}` };
  return problems.length === 0 ? outcomes : [error, ...outcomes];
}

interface FoundTarget {
  readonly target: Target;
  readonly object: JsonObject;
  readonly subresource: string;
}

/** The existing objects that an item of `targets` names, or the error. */
function targetsOf(
  request: PolicyRequest,
  target: Target,
  at: number,
  find: FindTargets,
): readonly FoundTarget[] | string {
  const { selected } = target;
  const spec = substitute(request.context, selected);
  if (spec instanceof Failure || !isObject(spec)) {
    const reason = spec instanceof Failure ? spec.message : '<nil>';
    return `failed to substitute variables in target[${at}]: ${reason}`;
  }
  const kind = parseKindSelector(`${stringField(spec, 'apiVersion')}/${stringField(spec, 'kind')}`);
  const namespace = request.policyNamespace || stringField(spec, 'namespace');
  const name = stringField(spec, 'name');
  const ofKind = find({ ...kind, namespace, name });
  if (typeof ofKind === 'string') return ofKind;
  const foundTarget = (object: JsonObject): FoundTarget => ({
    target,
    object,
    subresource: kind.subresource,
  });
  if (namespace !== '' && name !== '' && !hasWildcard(namespace) && !hasWildcard(name)) {
    const one = ofKind.find((object) => isNamed(object, namespace, name));
    return one === undefined
      ? `${stringField(spec, 'kind')} "${name}" not found`
      : [foundTarget(one)];
  }
  const selector = objectField(spec, 'selector');
  const compiled = selector && compileSelector(selector);
  return ofKind
    .filter(
      (object) =>
        isNamed(object, namespace || '*', name || '*') &&
        (compiled === undefined || isSelected(compiled, labelsOf(object))),
    )
    .map(foundTarget);
}

function isNamed(object: JsonObject, namespace: string, name: string): boolean {
  return (
    matchesWildcard(namespace, metadataText(object, 'namespace')) &&
    matchesWildcard(name, metadataText(object, 'name'))
  );
}

function mutateTarget(
  request: PolicyRequest,
  mutation: Mutation,
  needs: Target,
  object: JsonObject,
): TargetOutcome {
  const { context } = request;
  context.set({ target: object });
  const unready = unreadiness(context, needs, request.request.sources, request.policyNamespace);
  if (unready !== undefined) return unready;
  const { status, message, object: target } = mutateObject(request, mutation, object);
  return status === 'pass' && target !== undefined
    ? { status, message, target }
    : { status, message };
}
