import { isObject, type JsonObject, listOf } from '@kubeadmit/apimachinery';
import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import { readAction } from '@kubeadmit/kyverno/unstable-internal';
import { type Note, overridesNote, unboundOverridesNote } from '../notes/difference-notes.ts';
import type { Override } from './output.ts';

/**
 * The reservations with exclusions that have no equivalent: the result denies requests that the rule allows by them, so
 * it is stricter.
 */
export function withLost(action: Reservations, lost: readonly Note[]): Reservations {
  return lost.length === 0
    ? action
    : { ...action, lost: [...action.lost, ...lost], stricter: true };
}

/** The differences between a result and its rule. */
export interface Reservations {
  /** The parts of the rule that are missing from the result. */
  readonly lost: readonly Note[];
  readonly notes?: readonly Note[];
  readonly weaker?: boolean;
  readonly stricter?: boolean;
}

interface Action extends Reservations {
  readonly validationActions: readonly string[];
  readonly overrides: readonly Override[];
}

interface ActionFrame {
  /** The namespace of a Policy; undefined for a ClusterPolicy. */
  readonly namespace: string | undefined;
  /** Whether the result has bindings, which can name another action for some namespaces. */
  readonly hasBindings: boolean;
}

/**
 * Returns the actions for a failed validation, in the terms of bindings.
 *
 * An override of the rule comes first, then the `failureAction` of the rule, an override of its policy, the
 * `validationFailureAction` of its policy, and `Audit`. Overrides for namespaces by name become separate bindings.
 * Other overrides are lost, so that the result is stricter, or weaker if it audits.
 */
export function actionOf(
  validate: JsonObject,
  spec: JsonObject,
  { namespace, hasBindings }: ActionFrame,
): Action {
  const action = validate['failureAction'] ?? spec['validationFailureAction'];
  const validationActions = actionsOf(action, spec);
  const given = overridesOf(validate, spec);
  if (!given.every(isByName)) return withoutOverrides(validationActions, overridesNote);
  const overrides = distinctOverrides(given, spec);
  if (namespace === undefined) {
    return hasBindings || overrides.length === 0
      ? { validationActions, overrides, lost: [] }
      : withoutOverrides(validationActions, unboundOverridesNote);
  }
  const own = overrides.find(({ namespaces }) => namespaces.includes(namespace));
  return {
    validationActions: own?.validationActions ?? validationActions,
    overrides: [],
    lost: [],
  };
}

function withoutOverrides(validationActions: readonly string[], note: Note): Action {
  const isStrict = validationActions[0] === 'Deny';
  return {
    validationActions,
    overrides: [],
    lost: [note],
    ...(isStrict ? { stricter: true } : { weaker: true }),
  };
}

/** Returns the overrides that Kyverno reads, in their order; it skips those with an unknown action. */
function overridesOf(validate: JsonObject, spec: JsonObject): readonly JsonObject[] {
  const ofPolicy =
    validate['failureAction'] === undefined ? spec['validationFailureActionOverrides'] : [];
  return [...listOf(validate['failureActionOverrides']), ...listOf(ofPolicy)]
    .filter(isObject)
    .filter(({ action }) => readAction(action) !== undefined);
}

function isByName({ namespaces, namespaceSelector }: JsonObject): boolean {
  const names = listOf(namespaces).map(String);
  return names.length > 0 && !names.some(hasWildcard) && namespaceSelector === undefined;
}

// The first override of a namespace counts.
function distinctOverrides(given: readonly JsonObject[], spec: JsonObject): readonly Override[] {
  const taken = new Set<string>();
  return given.flatMap(({ action, namespaces }) => {
    const names = listOf(namespaces).map(String);
    const own = [...new Set(names)].filter((name) => !taken.has(name));
    for (const name of own) taken.add(name);
    return own.length === 0
      ? []
      : [{ validationActions: actionsOf(action, spec), namespaces: own }];
  });
}

// With `emitWarning`, the client also receives reported failures as warnings.
function actionsOf(action: unknown, { emitWarning }: JsonObject): readonly string[] {
  if (readAction(action) === 'Enforce') return ['Deny'];
  return emitWarning === true ? ['Audit', 'Warn'] : ['Audit'];
}
