import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { overridesNote } from '../known-differences.ts';
import { hasWildcard } from '../pattern/wildcard.ts';
import type { Override } from './output.ts';

/**
 * The reservations with exclusions that have no equal: what the rule lets through by them, the result denies, so that it
 * is stricter.
 */
export function withLost(action: Reservations, lost: readonly string[]): Reservations {
  return lost.length === 0
    ? action
    : { ...action, lost: [...action.lost, ...lost], stricter: true };
}

/** The differences between a result and its rule. */
export interface Reservations {
  /** The parts of the rule that are missing from the result. */
  readonly lost: readonly string[];
  readonly notes?: readonly string[];
  readonly weaker?: boolean;
  readonly stricter?: boolean;
}

interface Action extends Reservations {
  readonly validationActions: readonly string[];
  readonly overrides: readonly Override[];
}

/**
 * Returns what a failed validation does, in the terms of a binding.
 *
 * The action is the `failureAction` of the rule, else the `validationFailureAction` of its policy, else `Audit`.
 * Overrides for namespaces by name become separate bindings. Other overrides are lost, so that the result is
 * stricter, or weaker if it audits.
 */
export function actionOf(validate: JsonObject, spec: JsonObject): Action {
  const action = validate['failureAction'] ?? spec['validationFailureAction'];
  const validationActions = actionsOf(action, spec);
  const given = validate['failureActionOverrides'] ?? spec['validationFailureActionOverrides'];
  const overrides = Array.isArray(given) ? given.filter(isObject) : [];
  const known = overrides.map((override) => overrideOf(override, spec));
  if (known.every((override) => override !== undefined)) {
    return { validationActions, overrides: known, lost: [] };
  }
  const isStrict = validationActions[0] === 'Deny';
  return {
    validationActions,
    overrides: [],
    lost: [overridesNote],
    ...(isStrict ? { stricter: true } : { weaker: true }),
  };
}

// Namespaces selected by name get a separate binding.
function overrideOf(
  { action, namespaces, namespaceSelector }: JsonObject,
  spec: JsonObject,
): Override | undefined {
  const names = Array.isArray(namespaces) ? namespaces.map(String) : [];
  if (names.length === 0 || names.some(hasWildcard)) return undefined;
  if (namespaceSelector !== undefined) return undefined;
  return {
    validationActions: actionsOf(action, spec),
    namespaces: names,
  };
}

// With `emitWarning` the client is warned of what is reported.
function actionsOf(action: unknown, { emitWarning }: JsonObject): readonly string[] {
  if (/^enforce$/i.test(String(action))) return ['Deny'];
  return emitWarning === true ? ['Audit', 'Warn'] : ['Audit'];
}
