import { compareText } from '@kubeadmit/go';
import { type FieldError, forbidden, invalid, required } from '../errors/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '../names/label-name.ts';
import type { LabelSelector, LabelSelectorRequirement } from './label-selector.ts';

/** Validates a label selector at a path (meta/v1/validation `ValidateLabelSelector`). */
export function validateLabelSelector(selector: LabelSelector, path: string): FieldError[] {
  const errors = validateLabels(selector.matchLabels ?? {}, `${path}.matchLabels`);
  for (const [i, requirement] of (selector.matchExpressions ?? []).entries()) {
    errors.push(...validateRequirement(requirement, `${path}.matchExpressions[${i}]`));
  }
  return errors;
}

/** Validates labels at a path, in the order of their keys (meta/v1/validation `ValidateLabels`). */
export function validateLabels(
  labels: Readonly<Record<string, string>>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(labels).sort(compareText)) {
    const value = labels[key] ?? '';
    for (const text of qualifiedNameProblems(key)) errors.push(invalid(path, key, text));
    for (const text of labelValueProblems(value)) errors.push(invalid(path, value, text));
  }
  return errors;
}

function validateRequirement(requirement: LabelSelectorRequirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const values = requirement.values ?? [];
  const operator = requirement.operator ?? '';
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(
        required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      );
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push(
        forbidden(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      );
    }
  } else {
    errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  const key = requirement.key ?? '';
  for (const text of qualifiedNameProblems(key)) errors.push(invalid(`${path}.key`, key, text));
  for (const [i, value] of values.entries()) {
    for (const text of labelValueProblems(value)) {
      errors.push(invalid(`${path}.values[${i}]`, value, text));
    }
  }
  return errors;
}
