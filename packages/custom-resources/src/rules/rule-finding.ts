import { trimSpace } from '@kubeadmit/go';
import {
  duplicate,
  duplicateUnshown,
  type Finding,
  forbidden,
  invalid,
  invalidUnshown,
  required,
} from '../schema/finding.ts';
import type { Rule } from './rule.ts';

/** Returns the text that represents a rule: its message, or the rule. */
export function ruleText({ message, rule }: Rule): string {
  return trimSpace(message === '' ? rule : message);
}

/** The finding of a failed rule, by its reason. */
export function reasoned(
  path: string,
  type: string,
  value: unknown,
  detail: string,
  reason: string | undefined,
): Finding {
  const isShown = type !== 'object' && type !== 'array';
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return isShown ? duplicate(path, value) : duplicateUnshown(path);
    default:
      return isShown ? invalid(path, value, detail) : invalidUnshown(path, detail);
  }
}
