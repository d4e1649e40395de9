import { member, memberText, objectOf } from '@kubeadmit/apimachinery';
import type { Schema } from '../schema/schema.ts';

/** One rule of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

export function rulesOf(schema: Schema): readonly Rule[] {
  const listed = member(schema, 'x-kubernetes-validations');
  if (!Array.isArray(listed)) return [];
  return listed.map((each) => {
    const rule = objectOf(each);
    const reason = member(rule, 'reason');
    const optional = member(rule, 'optionalOldSelf');
    return {
      rule: memberText(rule, 'rule'),
      message: memberText(rule, 'message'),
      messageExpression: memberText(rule, 'messageExpression'),
      reason: typeof reason === 'string' ? reason : undefined,
      fieldPath: memberText(rule, 'fieldPath'),
      optionalOldSelf: typeof optional === 'boolean' ? optional : undefined,
    };
  });
}
