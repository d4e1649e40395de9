import type { JsonObject, Labels } from '@kubeadmit/apimachinery';
import { field, objectField, objectsField, textsField } from '../fields/fields.ts';
import { compileSelector, isSelected } from '../match/selector.ts';
import { matchesWildcard } from '../match/wildcard.ts';
import type { FailureAction } from '../trace/rule-result.ts';

/**
 * Returns the action of a failed rule: the first of the rule's overrides, its action, the policy's overrides, the
 * policy's action.
 */
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
  return readAction(action) ?? 'Audit';
}

/** The action that a policy names, in either spelling. */
export function readAction(action: unknown): FailureAction | undefined {
  if (action === 'Enforce' || action === 'enforce') return 'Enforce';
  return action === 'Audit' || action === 'audit' ? 'Audit' : undefined;
}

/** Whether some rule of a policy denies requests in some namespace. */
export function mayEnforce(spec: JsonObject): boolean {
  const rules = objectsField(spec, 'rules').map((rule) => objectField(rule, 'validate') ?? {});
  const actions = [
    field(spec, 'validationFailureAction'),
    ...objectsField(spec, 'validationFailureActionOverrides').map((each) => field(each, 'action')),
    ...rules.map((rule) => field(rule, 'failureAction')),
    ...objectsField(spec, 'rules').flatMap((rule) =>
      objectsField(rule, 'verifyImages').map((item) => field(item, 'failureAction')),
    ),
    ...rules.flatMap((rule) =>
      objectsField(rule, 'failureActionOverrides').map((each) => field(each, 'action')),
    ),
  ];
  return actions.some((action) => readAction(action) === 'Enforce');
}

function overriddenAction(
  overrides: readonly JsonObject[],
  namespace: string,
  labels: Labels,
): FailureAction | undefined {
  for (const override of overrides) {
    const action = readAction(field(override, 'action'));
    if (action === undefined) continue;
    const selector = objectField(override, 'namespaceSelector');
    const isChosen = selector === undefined || isSelected(compileSelector(selector), labels);
    const isNamed =
      field(override, 'namespaces') === undefined ||
      textsField(override, 'namespaces').some((pattern) => matchesWildcard(pattern, namespace));
    if (isChosen && isNamed) return action;
  }
  return undefined;
}
