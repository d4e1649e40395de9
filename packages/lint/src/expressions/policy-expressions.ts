import type { Expression } from '@kubeadmit/cel/syntax';
import { baseEnvironment } from '@kubeadmit/engine';
import type { MutatingSpec, PolicySpec, ValidatingSpec } from '@kubeadmit/engine/internal';

/** What an expression of a policy is for. */
export type ExpressionRole =
  | 'variable'
  | 'condition'
  | 'validation'
  | 'message'
  | 'annotation'
  | 'mutation';

/** An expression of a policy. */
export interface PolicyExpression {
  /** Its place: `spec.validations[0].expression`. */
  readonly field: string;
  readonly role: ExpressionRole;
  /** The name of a variable; else empty. */
  readonly name: string;
  readonly text: string;
  /** The tree; absent where it does not parse. */
  readonly tree: Expression | undefined;
}

/** The expressions of a policy, in the order of its fields. */
export function expressionsOf(given: PolicySpec): readonly PolicyExpression[] {
  const spec: ValidatingSpec & MutatingSpec = given;
  const found: PolicyExpression[] = [];
  const add = (role: ExpressionRole, field: string, text: string | undefined, name = ''): void => {
    if (typeof text !== 'string') return;
    found.push({ field, role, name, text, tree: baseEnvironment().parse(text).expression });
  };
  for (const [i, each] of (spec.variables ?? []).entries()) {
    add('variable', `spec.variables[${i}].expression`, each.expression, each.name);
  }
  for (const [i, each] of (spec.matchConditions ?? []).entries()) {
    add('condition', `spec.matchConditions[${i}].expression`, each.expression);
  }
  for (const [i, each] of (spec.validations ?? []).entries()) {
    add('validation', `spec.validations[${i}].expression`, each.expression);
    add('message', `spec.validations[${i}].messageExpression`, each.messageExpression);
  }
  for (const [i, each] of (spec.auditAnnotations ?? []).entries()) {
    add('annotation', `spec.auditAnnotations[${i}].valueExpression`, each.valueExpression);
  }
  for (const [i, { applyConfiguration, jsonPatch }] of (spec.mutations ?? []).entries()) {
    const place = `spec.mutations[${i}]`;
    add('mutation', `${place}.applyConfiguration.expression`, applyConfiguration?.expression);
    add('mutation', `${place}.jsonPatch.expression`, jsonPatch?.expression);
  }
  return found;
}

/** Where something is in the text of an expression. */
export interface ExpressionFinding {
  readonly field: string;
  readonly code: string;
  /** Offset in the expression, in UTF-16 units. */
  readonly position: number;
  readonly message: string;
}
