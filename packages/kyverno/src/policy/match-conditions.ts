import { formatGroupVersion, type JsonObject } from '@kubeadmit/apimachinery';
import type { ObserveEvaluation, PolicySpec } from '@kubeadmit/engine';
import { type CompiledPolicy, evaluateMatchConditions } from '@kubeadmit/engine/unstable-internal';
import { celBindings, celCompilers, kindOfRequest } from '../cel/cel-bindings.ts';
import { stringField } from '../fields/fields.ts';
import type { PolicyRequest } from '../rule/request.ts';

/** `webhookConfiguration.matchConditions` of a policy, compiled. */
export type MatchConditions = CompiledPolicy['matchConditions'];

/** Why conditions do not hold: the name of the one that is false, or the errors of those that failed. */
export type UnmetConditions = { readonly condition: string } | { readonly failure: string };

/**
 * Why `webhookConfiguration.matchConditions` of a policy do not hold for a request (Kyverno's `checkMatchConditions`);
 * undefined where they hold.
 *
 * Conditions that cannot be compiled or evaluated do not hold. An object that a request has not is to them one that
 * says its kind alone.
 */
export function unmetConditions(
  conditions: MatchConditions,
  state: PolicyRequest,
): UnmetConditions | undefined {
  const { group, version, kind } = kindOfRequest(state);
  const apiVersion = formatGroupVersion({ group, version });
  const shown = (object: JsonObject | undefined): JsonObject => ({ ...object, apiVersion, kind });
  const objects = { object: shown(state.object), oldObject: shown(state.oldObject) };
  const bindings = celBindings(state, objects, state.request.facts.subresource);
  const result = evaluateMatchConditions(
    conditions,
    { ...bindings, namespaceObject: null },
    new Map(),
    'Fail',
  );
  if (result.outcome === 'match') return undefined;
  return result.outcome === 'noMatch'
    ? { condition: result.condition }
    : { failure: result.message };
}

/** The observer of conditions, and the spec of their policy. */
export interface ConditionsObserver {
  readonly observe: ObserveEvaluation;
  readonly spec: JsonObject;
}

/** Compiles conditions, which see neither parameters nor the authorizer. */
export function compileMatchConditions(
  conditions: readonly JsonObject[],
  observer: ConditionsObserver | undefined,
): MatchConditions {
  const compiler = celCompilers(observer?.observe).composing();
  const scope = { params: false, authorizer: false, patchTypes: false };
  return conditions.map((condition, index) => ({
    name: stringField(condition, 'name'),
    compiled: compiler.compile({
      expression: stringField(condition, 'expression'),
      scope,
      result: 'bool',
      environment: 'stored',
      ...(observer && {
        home: {
          spec: observer.spec as PolicySpec,
          path: `spec.webhookConfiguration.matchConditions[${index}].expression`,
        },
      }),
    }),
  }));
}
