import { member, memberList, memberText } from '@kubeadmit/apimachinery';
import type { Expression } from '@kubeadmit/cel/syntax';
import { baseEnvironment } from '@kubeadmit/engine';

/** The role of an expression in a policy. */
export type ExpressionRole =
  | 'variable'
  | 'matchCondition'
  | 'validation'
  | 'message'
  | 'auditAnnotation'
  | 'mutation';

/** An expression of a policy as it was written. */
export interface WrittenExpression {
  /** Its place: `spec.validations[0].expression`. */
  readonly field: string;
  readonly role: ExpressionRole;
  /** The name of a variable or condition; else empty. */
  readonly name: string;
  readonly text: string;
}

export interface PolicyExpression extends WrittenExpression {
  /** The tree; absent where it does not parse. */
  readonly tree: Expression | undefined;
}

const places: readonly (readonly [ExpressionRole, string, readonly string[]])[] = [
  ['variable', 'variables', ['expression']],
  ['matchCondition', 'matchConditions', ['expression']],
  ['validation', 'validations', ['expression']],
  ['message', 'validations', ['messageExpression']],
  ['auditAnnotation', 'auditAnnotations', ['valueExpression']],
  ['mutation', 'mutations', ['applyConfiguration', 'expression']],
  ['mutation', 'mutations', ['jsonPatch', 'expression']],
];

/** The expressions in the spec of a policy, in the order of its fields. */
export function writtenExpressions(spec: unknown): readonly WrittenExpression[] {
  return places.flatMap(([role, list, steps]) =>
    memberList(spec, list).flatMap((item, i): readonly WrittenExpression[] => {
      const text = steps.reduce<unknown>(member, item);
      const field = `spec.${list}[${i}].${steps.join('.')}`;
      if (typeof text !== 'string' || text === '') return [];
      return [{ field, role, name: memberText(item, 'name'), text }];
    }),
  );
}

/** The same with their trees. */
export function expressionsOf(spec: unknown): readonly PolicyExpression[] {
  return writtenExpressions(spec).map((written) => ({
    ...written,
    tree: baseEnvironment().parse(written.text).expression,
  }));
}

/** Where something is in the text of an expression. */
export interface ExpressionFinding {
  readonly field: string;
  readonly code: string;
  /** Offset in the expression, in UTF-16 units. */
  readonly position: number;
  readonly message: string;
}
