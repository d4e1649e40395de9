import { member } from '@kubeadmit/apimachinery';

/** What an expression is for. */
export type ExpressionRole =
  | 'variable'
  | 'matchCondition'
  | 'validation'
  | 'message'
  | 'auditAnnotation'
  | 'mutation';

/** An expression of a policy. */
export interface PolicyExpression {
  /** Its path in the policy: `spec.validations[0].expression`. */
  readonly path: string;
  readonly role: ExpressionRole;
  readonly text: string;
}

const lists: readonly (readonly [ExpressionRole, string, readonly string[]])[] = [
  ['variable', 'variables', ['expression']],
  ['matchCondition', 'matchConditions', ['expression']],
  ['validation', 'validations', ['expression']],
  ['message', 'validations', ['messageExpression']],
  ['auditAnnotation', 'auditAnnotations', ['valueExpression']],
  ['mutation', 'mutations', ['applyConfiguration', 'expression']],
  ['mutation', 'mutations', ['jsonPatch', 'expression']],
];

/** The expressions of a policy as it was written, in the order of its fields. */
export function policyExpressions(policy: object): readonly PolicyExpression[] {
  const spec = member(policy, 'spec');
  return lists.flatMap(([role, list, steps]) => {
    const items = member(spec, list);
    if (!Array.isArray(items)) return [];
    return items.flatMap((item: unknown, index): PolicyExpression[] => {
      let text = item;
      for (const step of steps) text = member(text, step);
      const path = `spec.${list}[${index}].${steps.join('.')}`;
      return typeof text === 'string' && text !== '' ? [{ path, role, text }] : [];
    });
  });
}
