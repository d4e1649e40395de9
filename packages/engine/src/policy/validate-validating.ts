import type { FieldError } from '@kubeadmit/apimachinery';
import { duplicate, invalid, notSupported, required } from '@kubeadmit/apimachinery/field-errors';
import { qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import { byteLength, trimSpace } from '@kubeadmit/go';
import type { ExpressionChecker, ExpressionScope } from './expression.ts';
import type { AuditAnnotation, ValidatingPolicy, ValidatingSpec, Validation } from './model.ts';
import { type ExpressionRole, validateExpression } from './validate-expressions.ts';
import { type PolicyValidation, validatePolicy } from './validate-policy.ts';

const auditAnnotationsLimit = 20;
const valueExpressionLimit = 5 * 1024;
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** Validates a ValidatingAdmissionPolicy that is created or, with `old`, updated; in kube-apiserver's order. */
export function validateValidatingPolicy(
  policy: ValidatingPolicy,
  validation: PolicyValidation<ValidatingSpec>,
): readonly FieldError[] {
  const spec = policy.spec ?? {};
  const { checkers } = validation;
  const stored = storedExpressions(validation.old?.spec);
  return validatePolicy(policy, validation, {
    checker: (spec.variables ?? []).length > 0 ? checkers.composing() : checkers.plain,
    // Variables are looked up among the stored validations only.
    storedVariables: stored.validations,
    rest: (role, { name = '' }) => {
      if (!spec.validations?.length && !spec.auditAnnotations?.length) {
        const text = 'validations or auditAnnotations must contain at least one item';
        return [required('spec.validations', text), required('spec.auditAnnotations', text)];
      }
      const validations = (spec.validations ?? []).flatMap((item, i) =>
        validateValidation(item, `spec.validations[${i}]`, { ...role, stored }),
      );
      const annotations = { ...role, stored: stored.annotations };
      return [
        ...validations,
        ...validateAuditAnnotations(spec.auditAnnotations ?? [], name, annotations),
      ];
    },
  });
}

interface StoredExpressions {
  readonly validations: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
}

function storedExpressions(old: ValidatingSpec | undefined): StoredExpressions {
  const validations = old?.validations ?? [];
  return {
    validations: new Set(validations.map(({ expression = '' }) => expression)),
    messages: new Set(validations.map(({ messageExpression = '' }) => messageExpression)),
    annotations: new Set(
      (old?.auditAnnotations ?? []).map(({ valueExpression = '' }) => valueExpression),
    ),
  };
}

interface ValidationRole {
  readonly checker: ExpressionChecker;
  readonly scope: ExpressionScope;
  readonly stored: StoredExpressions;
}

function validateValidation(item: Validation, at: string, role: ValidationRole): FieldError[] {
  const { expression = '', message = '', messageExpression = '', reason } = item;
  const errors: FieldError[] = [];
  if (trimSpace(expression) === '') {
    errors.push(required(`${at}.expression`, 'expression is not specified'));
  } else {
    const expressions: ExpressionRole = { ...role, stored: role.stored.validations };
    const checked = { text: expression, result: 'bool' } as const;
    errors.push(...validateExpression(`${at}.expression`, checked, expressions));
  }
  if (messageExpression !== '' && trimSpace(messageExpression) === '') {
    const text = 'must be non-empty if specified';
    errors.push(invalid(`${at}.messageExpression`, messageExpression, text));
  } else if (messageExpression !== '') {
    const checked = { text: messageExpression, result: 'string' } as const;
    errors.push(
      ...validateExpression(`${at}.messageExpression`, checked, {
        checker: role.checker,
        scope: { ...role.scope, authorizer: false },
        stored: role.stored.messages,
      }),
    );
  }
  if (message !== '' && trimSpace(message) === '') {
    errors.push(invalid(`${at}.message`, message, 'must be non-empty if specified'));
  } else if (/[\n\r]/.test(trimSpace(message))) {
    errors.push(invalid(`${at}.message`, message, 'must not contain line breaks'));
  }
  if (reason != null && !reasons.includes(reason)) {
    errors.push(notSupported(`${at}.reason`, reason, reasons));
  }
  return errors;
}

function validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  policyName: string,
  role: ExpressionRole,
): FieldError[] {
  const path = 'spec.auditAnnotations';
  const errors: FieldError[] = [];
  if (annotations.length > auditAnnotationsLimit) {
    const internal = annotations.map(({ key = '', valueExpression = '' }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    const text = `must not have more than ${auditAnnotationsLimit} auditAnnotations`;
    errors.push(invalid(path, internal, text));
  }
  const keys = new Set<string>();
  for (const [i, annotation] of annotations.entries()) {
    const key = annotation.key ?? '';
    errors.push(...validateAuditAnnotation(annotation, `${path}[${i}]`, policyName, role));
    if (keys.has(key)) errors.push(duplicate(`${path}[${i}].key`, key));
    keys.add(key);
  }
  return errors;
}

function validateAuditAnnotation(
  { key = '', valueExpression = '' }: AuditAnnotation,
  at: string,
  policyName: string,
  role: ExpressionRole,
): FieldError[] {
  const errors: FieldError[] = [];
  if (policyName === '') {
    errors.push(invalid(`${at}.key`, key, 'requires metadata.name be non-empty'));
  } else {
    const name = `${policyName}/${key}`;
    for (const text of qualifiedNameProblems(name)) errors.push(invalid(`${at}.key`, name, text));
  }
  const text = trimSpace(valueExpression);
  if (text === '') {
    errors.push(required(`${at}.valueExpression`, 'valueExpression is not specified'));
  } else if (byteLength(text) > valueExpressionLimit) {
    const detail = `must not exceed ${valueExpressionLimit} bytes in length`;
    errors.push(required(`${at}.valueExpression`, detail));
  } else {
    const checked = {
      text,
      given: valueExpression,
      shown: valueExpression,
      result: 'stringOrNull',
    } as const;
    errors.push(...validateExpression(`${at}.valueExpression`, checked, role));
  }
  return errors;
}
