import type { JsonObject } from '@kubeadmit/apimachinery';
import { objectField, objectsField, textField, textsField } from '../policy/fields.ts';
import { hasWildcard, matchesWildcard } from '../values/wildcard.ts';

/** The labels or annotations of an object. */
export type Labels = ReadonlyMap<string, string>;

/** A label selector ready to be asked. */
export interface LabelSelector {
  readonly labels: readonly (readonly [string, string])[];
  readonly expressions: readonly LabelExpression[];
  /** Whether `matchLabels` has wildcards, which stand for what the labels have. */
  readonly hasWildcards: boolean;
  /** What is wrong with the selector for any labels. */
  readonly problem: SelectorProblem | undefined;
}

interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether labels are selected, or the text of what is wrong with the selector for them. */
export type SelectorResult = boolean | SelectorProblem;

interface SelectorProblem {
  readonly error: string;
}

const namePattern = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const prefixPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** Reads a label selector of a policy. */
export function compileSelector(source: JsonObject): LabelSelector {
  const members = objectField(source, 'matchLabels') ?? {};
  const labels = Object.keys(members).map((key): [string, string] => [
    key,
    String(members[key] ?? ''),
  ]);
  const expressions = objectsField(source, 'matchExpressions').map((expression) => ({
    key: textField(expression, 'key'),
    operator: textField(expression, 'operator'),
    values: textsField(expression, 'values'),
  }));
  const hasWildcards = labels.some((pair) => pair.some(hasWildcard));
  const problem = (hasWildcards ? undefined : labelsProblem(labels)) ?? problemOf(expressions);
  return { labels, expressions, hasWildcards, problem };
}

function labelsProblem(labels: Iterable<readonly [string, string]>): SelectorProblem | undefined {
  for (const [key, value] of labels) {
    if (!isLabelKey(key) || !isLabelValue(value)) return { error: `invalid label ${key}=${value}` };
  }
  return undefined;
}

function problemOf(expressions: readonly LabelExpression[]): SelectorProblem | undefined {
  for (const { key, operator, values } of expressions) {
    const takesValues = operator === 'In' || operator === 'NotIn';
    if (!takesValues && operator !== 'Exists' && operator !== 'DoesNotExist') {
      return { error: `"${operator}" is not a valid label selector operator` };
    }
    const isValid =
      isLabelKey(key) && takesValues === values.length > 0 && values.every(isLabelValue);
    if (!isValid) return { error: `invalid label expression for ${key}` };
  }
  return undefined;
}

/**
 * Whether labels are selected. Wildcards in `matchLabels` stand for a pair that the labels have; one that stands
 * for none is asked for with zeros in their place (Kyverno's `CheckSelector`).
 */
export function selects(selector: LabelSelector, actual: Labels): SelectorResult {
  const { labels, hasWildcards } = selector;
  const wanted = hasWildcards
    ? new Map(labels.map(([key, value]) => expand(key, value, actual)))
    : labels;
  const problem = (hasWildcards ? labelsProblem(wanted) : undefined) ?? selector.problem;
  if (problem !== undefined) return problem;
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

/** The labels or annotations in an object's metadata: none when one of them is no text (apimachinery, `GetLabels`). */
export function labelsOf(source: unknown): Labels {
  const labels = new Map<string, string>();
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return labels;
  for (const [key, value] of Object.entries(source)) {
    if (typeof value !== 'string') return new Map();
    labels.set(key, value);
  }
  return labels;
}
