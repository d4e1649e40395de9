import {
  compileLabelSelector,
  type JsonObject,
  type LabelSelector,
  type Labels,
  labelSelectorProblem,
  type Selector,
} from '@kubeadmit/apimachinery';
import { objectField, objectsField, stringField, textsField } from '../fields/fields.ts';
import { hasWildcard, matchesWildcard } from './wildcard.ts';

/** A compiled label selector of a policy. */
export interface PolicySelector {
  readonly selector: LabelSelector;
  /** The compiled selector, or the error; neither if wildcards are expanded with the labels of each object. */
  readonly compiled: Selector | SelectorProblem | undefined;
}

/** Whether the selector matches labels, or its error. */
export type SelectorResult = boolean | SelectorProblem;

interface SelectorProblem {
  readonly error: string;
}

/** Reads a label selector of a policy. */
export function compileSelector(source: JsonObject): PolicySelector {
  const members = objectField(source, 'matchLabels') ?? {};
  const labels = Object.keys(members).map((key): [string, string] => [
    key,
    String(members[key] ?? ''),
  ]);
  const matchExpressions = objectsField(source, 'matchExpressions').map((expression) => ({
    key: stringField(expression, 'key'),
    operator: stringField(expression, 'operator'),
    values: textsField(expression, 'values'),
  }));
  const selector = { matchLabels: Object.fromEntries(labels), matchExpressions };
  const hasWildcards = labels.some((pair) => pair.some(hasWildcard));
  return { selector, compiled: hasWildcards ? undefined : compile(selector) };
}

function compile(selector: LabelSelector): Selector | SelectorProblem {
  const error = labelSelectorProblem(selector);
  return error === undefined ? compileLabelSelector(selector) : { error };
}

/**
 * Whether labels are selected. Wildcards in `matchLabels` match a pair of the labels; a wildcard without a match is
 * replaced by zeros (Kyverno's `CheckSelector`).
 */
export function selects({ selector, compiled }: PolicySelector, actual: Labels): SelectorResult {
  const asked = compiled ?? compile({ ...selector, matchLabels: expand(selector, actual) });
  return 'error' in asked ? asked : asked.matches(actual);
}

/** Whether labels are selected by a selector that nothing is wrong with. */
export function isSelected(selector: PolicySelector, labels: Labels): boolean {
  return selects(selector, labels) === true;
}

function expand({ matchLabels }: LabelSelector, actual: Labels): Labels {
  const pairs = Object.entries(matchLabels ?? {});
  return Object.fromEntries(pairs.map(([key, value]) => expandPair(key, value, actual)));
}

function expandPair(key: string, value: string, actual: Labels): readonly [string, string] {
  if (!hasWildcard(key) && !hasWildcard(value)) return [key, value];
  for (const pair of Object.entries(actual)) {
    if (matchesWildcard(key, pair[0]) && matchesWildcard(value, pair[1])) return pair;
  }
  return [key.replaceAll(/[*?]/g, '0'), value.replaceAll(/[*?]/g, '0')];
}
