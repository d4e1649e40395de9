import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { unreadiness } from '../conditions/readiness.ts';
import { metadataText, objectField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/failure.ts';
import { parseKindSelector, selectsKind } from '../match/kind.ts';
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
  readonly status: RuleStatus;
  readonly message: string;
  /** The object afterwards, where the rule changed it. */
  readonly target?: JsonObject;
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
  existing: readonly JsonObject[],
): readonly TargetOutcome[] {
  const problems: string[] = [];
  const found: { readonly target: Target; readonly object: JsonObject }[] = [];
  for (const [at, target] of targets.entries()) {
    const objects = targetsOf(request, target, at, existing);
    if (typeof objects === 'string') problems.push(objects);
    else found.push(...objects.map((object) => ({ target, object })));
  }
  const { trace } = request.context;
  const outcomes = found.map(({ target, object }) => {
    trace?.open();
    const outcome = mutateTarget(request, mutation, target, object);
    const name = `${stringField(object, 'kind')}/${metadataText(object, 'name')}`;
    trace?.close({ kind: 'target', ...outcome, target: name });
    return outcome;
  });
  const error: TargetOutcome = { status: 'error', message: `: ${problems.join('; ')}` };
  return problems.length === 0 ? outcomes : [error, ...outcomes];
}

/** The existing objects that an item of `targets` names, or the error. */
function targetsOf(
  request: PolicyRequest,
  { selected }: Target,
  at: number,
  existing: readonly JsonObject[],
): readonly JsonObject[] | string {
  const spec = substitute(request.context, selected);
  if (spec instanceof Failure || !isObject(spec)) {
    const reason = spec instanceof Failure ? spec.message : '<nil>';
    return `failed to substitute variables in target[${at}]: ${reason}`;
  }
  const kind = parseKindSelector(`${stringField(spec, 'apiVersion')}/${stringField(spec, 'kind')}`);
  const namespace = request.policyNamespace || stringField(spec, 'namespace');
  const name = stringField(spec, 'name');
  const ofKind = existing.filter((object) => selectsKind(kind, objectKindOf(object), ''));
  if (namespace !== '' && name !== '' && !hasWildcard(namespace) && !hasWildcard(name)) {
    const one = ofKind.find((object) => isNamed(object, namespace, name));
    return one === undefined ? `${stringField(spec, 'kind')} "${name}" not found` : [one];
  }
  const selector = objectField(spec, 'selector');
  const compiled = selector && compileSelector(selector);
  return ofKind.filter(
    (object) =>
      isNamed(object, namespace || '*', name || '*') &&
      (compiled === undefined || isSelected(compiled, labelsOf(object))),
  );
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
