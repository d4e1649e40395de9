import { trimSpace } from '@kubeadmit/go';
import { readStructural, SchemaProblem } from '@kubeadmit/schemas/definitions';
import { followFieldPath } from '../rules/field-path.ts';
import { rulesOf } from '../rules/rule.ts';
import {
  childPath,
  type Finding,
  invalid,
  keyPath,
  notSupported,
  required,
} from '../schema/finding.ts';
import type { Schema } from '../schema/schema.ts';

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** Whether a path leads somewhere; all do in a schema that is not structural. */
function isValidPath(path: string, schema: Schema): boolean {
  if (readStructural(schema) instanceof SchemaProblem) return true;
  return !('problem' in followFieldPath(path, schema));
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Checks the fields of rules, before any is compiled (apiextensions, `ValidateCustomResourceDefinitionOpenAPISchema`). */
export function validateRuleForms(schema: Schema, path: string): Finding[] {
  return rulesOf(schema).flatMap((rule, index) => {
    const findings: Finding[] = [];
    const place = keyPath(childPath(path, 'x-kubernetes-validations'), index);
    const at = (name: string): string => childPath(place, name);
    const text = trimSpace(rule.rule);
    const message = trimSpace(rule.message);
    if (text === '') findings.push(required(at('rule'), 'rule is not specified'));
    else if (rule.message !== '' && message === '') {
      findings.push(invalid(at('message'), rule.message, 'must be non-empty if specified'));
    } else if (hasLineBreak(message)) {
      findings.push(invalid(at('message'), rule.message, 'must not contain line breaks'));
    } else if (hasLineBreak(text) && message === '') {
      const detail = 'message must be specified if rule contains line breaks';
      findings.push(required(at('message'), detail));
    }
    if (rule.messageExpression !== '' && trimSpace(rule.messageExpression) === '') {
      const detail = 'messageExpression must be non-empty if specified';
      findings.push(required(at('messageExpression'), detail));
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
      findings.push(notSupported(at('reason'), rule.reason, reasons));
    }
    const { fieldPath } = rule;
    if (fieldPath === '') return findings;
    if (trimSpace(fieldPath) === '') {
      findings.push(invalid(at('fieldPath'), fieldPath, 'must be non-empty if specified'));
    }
    if (hasLineBreak(fieldPath)) {
      findings.push(invalid(at('fieldPath'), fieldPath, 'must not contain line breaks'));
    }
    if (!isValidPath(fieldPath, schema)) {
      findings.push(invalid(at('fieldPath'), fieldPath, 'must be a valid path'));
    }
    return findings;
  });
}
