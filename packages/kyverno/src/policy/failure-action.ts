import type { JsonObject, Labels } from '@kubeadmit/apimachinery';
import { compileSelector, isSelected } from '../match/selector.ts';
import { matchesWildcard } from '../match/wildcard.ts';
import { field, objectField, objectsField, stringField, textsField } from './fields.ts';
import type { FailureAction } from './rule-result.ts';

const actions: ReadonlySet<string> = new Set(['Audit', 'Enforce', 'audit', 'enforce']);

/** What a failed rule does to a request: the rule's overrides, its action, the policy's overrides, its action. */
export function failureActionOf(
  validate: JsonObject,
  spec: JsonObject,
  namespace: string,
  namespaceLabels: Labels,
): FailureAction {
  const action =
    overriddenAction(
      objectsField(validate, 'failureActionOverrides'),
      namespace,
      namespaceLabels,
    ) ??
    field(validate, 'failureAction') ??
    overriddenAction(
      objectsField(spec, 'validationFailureActionOverrides'),
      namespace,
      namespaceLabels,
    ) ??
    field(spec, 'validationFailureAction');
  return isEnforced(action) ? 'Enforce' : 'Audit';
}

/** Whether an action blocks requests. */
export function isEnforced(action: unknown): boolean {
  return action === 'Enforce' || action === 'enforce';
}

function overriddenAction(
  overrides: readonly JsonObject[],
  namespace: string,
  labels: Labels,
): string | undefined {
  for (const override of overrides) {
    const action = stringField(override, 'action');
    if (!actions.has(action)) continue;
    const selector = objectField(override, 'namespaceSelector');
    const isChosen = selector === undefined || isSelected(compileSelector(selector), labels);
    const isNamed =
      field(override, 'namespaces') === undefined ||
      textsField(override, 'namespaces').some((pattern) => matchesWildcard(pattern, namespace));
    if (isChosen && isNamed) return action;
  }
  return undefined;
}
