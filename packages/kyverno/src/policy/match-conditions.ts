import type { JsonObject } from '@kubeadmit/apimachinery';
import { type CompiledPolicy, evaluateMatchConditions } from '@kubeadmit/engine/internal';
import { celBindings, celCompilers, kindOfRequest } from './cel-bindings.ts';
import { stringField } from './fields.ts';
import type { PolicyRequest } from './request.ts';

/** `webhookConfiguration.matchConditions` of a policy, compiled. */
export type MatchConditions = CompiledPolicy['matchConditions'];

/**
 * Whether `webhookConfiguration.matchConditions` of a policy hold for a request (Kyverno's `checkMatchConditions`).
 *
 * Conditions that cannot be compiled or evaluated do not hold. An object that a request has not is to them one that
 * says its kind alone.
 */
export function meetsMatchConditions(conditions: MatchConditions, state: PolicyRequest): boolean {
  const { group, version, kind } = kindOfRequest(state);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const shown = (object: JsonObject | undefined): JsonObject => ({ ...object, apiVersion, kind });
  const objects = { object: shown(state.object), oldObject: shown(state.oldObject) };
  const bindings = celBindings(state, objects, state.request.facts.subresource);
  const result = evaluateMatchConditions(
    conditions,
    { ...bindings, namespaceObject: null },
    new Map(),
    'Fail',
  );
  return result.outcome === 'match';
}

/** Compiles conditions, which see neither parameters nor the authorizer. */
export function compileMatchConditions(conditions: readonly JsonObject[]): MatchConditions {
  const compiler = celCompilers().composing();
  const scope = { params: false, authorizer: false, patchTypes: false };
  return conditions.map((condition) => ({
    name: stringField(condition, 'name'),
    compiled: compiler.compile({
      expression: stringField(condition, 'expression'),
      scope,
      result: 'bool',
      environment: 'stored',
    }),
  }));
}
