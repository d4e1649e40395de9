import { objectField, objectsField, textField, textsField } from '../policy/fields.ts';
import type { JsonObject } from '../values/value.ts';
import { hasWildcard, matchesWildcard } from '../values/wildcard.ts';

/** The labels or annotations of an object, as far as they are strings. */
export type Labels = ReadonlyMap<string, string>;

/** A label selector ready to be asked. */
export interface LabelSelector {
  readonly labels: readonly (readonly [string, string])[];
  readonly expressions: readonly LabelExpression[];
}

interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether labels are selected, or the text of what is wrong with the selector for them. */
export type SelectorResult = boolean | { readonly error: string };

const namePattern = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const prefixPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** Reads a label selector of a policy. */
export function compileSelector(source: JsonObject): LabelSelector {
  const labels = objectField(source, 'matchLabels') ?? {};
  return {
    labels: Object.keys(labels).map((key) => [key, String(labels[key] ?? '')]),
    expressions: objectsField(source, 'matchExpressions').map((expression) => ({
      key: textField(expression, 'key'),
      operator: textField(expression, 'operator'),
      values: textsField(expression, 'values'),
    })),
  };
}

/**
 * Whether labels are selected. Wildcards in `matchLabels` stand for a pair that the labels have; one that stands
 * for none is asked for with zeros in their place (Kyverno's `CheckSelector`).
 */
export function selects(selector: LabelSelector, actual: Labels): SelectorResult {
  const wanted = new Map(selector.labels.map(([key, value]) => expand(key, value, actual)));
  for (const [key, value] of wanted) {
    if (!isLabelKey(key) || !isLabelValue(value)) return { error: `invalid label ${key}=${value}` };
  }
  for (const { key, operator, values } of selector.expressions) {
    const takesValues = operator === 'In' || operator === 'NotIn';
    if (!takesValues && operator !== 'Exists' && operator !== 'DoesNotExist') {
      return { error: `"${operator}" is not a valid label selector operator` };
    }
    const isValid =
      isLabelKey(key) && takesValues === values.length > 0 && values.every(isLabelValue);
    if (!isValid) return { error: `invalid label expression for ${key}` };
  }
  for (const [key, value] of wanted) if (actual.get(key) !== value) return false;
  return selector.expressions.every((expression) => holds(expression, actual));
}

function expand(key: string, value: string, actual: Labels): readonly [string, string] {
  if (!hasWildcard(key) && !hasWildcard(value)) return [key, value];
  for (const pair of actual) {
    if (matchesWildcard(key, pair[0]) && matchesWildcard(value, pair[1])) return pair;
  }
  return [key.replaceAll(/[*?]/g, '0'), value.replaceAll(/[*?]/g, '0')];
}

function holds({ key, operator, values }: LabelExpression, actual: Labels): boolean {
  const value = actual.get(key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}

function isLabelKey(key: string): boolean {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || name.length > 63 || !namePattern.test(name)) return false;
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return prefix === undefined || (prefix.length <= 253 && prefixPattern.test(prefix));
}

function isLabelValue(value: string): boolean {
  return value === '' || (value.length <= 63 && namePattern.test(value));
}

/** The string members of a map in an object's metadata. */
export function labelsOf(source: unknown): Labels {
  const labels = new Map<string, string>();
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return labels;
  for (const [key, value] of Object.entries(source)) {
    if (typeof value === 'string') labels.set(key, value);
  }
  return labels;
}
