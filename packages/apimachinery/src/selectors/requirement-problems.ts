import { parseInt64, quote } from '@kubeadmit/go';
import { labelValueProblems, qualifiedNameProblems } from '../names/label-name.ts';
import type { LabelOperator } from './label-selector.ts';

/**
 * Returns the problems of the key of a requirement (apimachinery `labels.validateLabelKey`).
 *
 * @param path the name of the field: `key`, or `<nil>` in selectors that are parsed.
 */
export function keyProblems(key: string, path: 'key' | '<nil>'): string[] {
  const problems = qualifiedNameProblems(key);
  if (problems.length === 0) return [];
  return [`${path}: Invalid value: ${quote(key)}: ${problems.join('; ')}`];
}

/** Returns the problems of the values of a requirement (apimachinery `labels.NewRequirement`). */
export function valueProblems(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): string[] {
  const problems = countProblems(operator, values);
  for (const [index, value] of values.entries()) {
    if ((operator === 'gt' || operator === 'lt') && typeof parseInt64(value) === 'string') {
      problems.push(
        `values[${index}]: Invalid value: ${quote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
  }
  for (const [index, value] of values.entries()) {
    const found = labelValueProblems(value);
    if (found.length > 0) {
      problems.push(
        `values[${index}][${key}]: Invalid value: ${quote(value)}: ${found.join('; ')}`,
      );
    }
  }
  return problems;
}

function countProblems(operator: LabelOperator, values: readonly string[]): string[] {
  const isSet = operator === 'in' || operator === 'notin';
  if (isSet && values.length === 0) {
    return ["values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"];
  }
  if ((operator === 'exists' || operator === '!') && values.length > 0) {
    const shown = JSON.stringify(values);
    return [
      `values: Invalid value: ${shown}: values set must be empty for exists and does not exist`,
    ];
  }
  return [];
}
