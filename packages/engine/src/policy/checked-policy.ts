import { lazily } from '@kubeadmit/base';
import { dynType } from '@kubeadmit/cel/types';
import type { CheckedExpression } from '@kubeadmit/cel/unstable-internal';
import { newestMinor } from '../environment/versions.ts';
import type { ExpressionScope } from './expression.ts';
import type { MutatingSpec } from './model.ts';
import { declarable, PolicyCompilers, type VariableTypes } from './policy-compilers.ts';

/** The trees of a MutatingAdmissionPolicy's expressions; `undefined` where one does not compile. */
export interface CheckedMutatingPolicy {
  readonly variables: readonly CheckedVariable[];
  readonly matchConditions: readonly (CheckedExpression | undefined)[];
  readonly mutations: readonly (CheckedExpression | undefined)[];
}

/** A variable of a policy with its tree. */
export interface CheckedVariable {
  readonly name: string;
  readonly checked: CheckedExpression | undefined;
}

// Environments take long to make, and are the same for all policies.
const sharedCompilers = lazily(() => new PolicyCompilers(newestMinor));

/** Checks the expressions of a MutatingAdmissionPolicy, for those who want to look into them. */
export function checkMutatingExpressions(spec: MutatingSpec): CheckedMutatingPolicy {
  const compilers = sharedCompilers();
  const types: VariableTypes = new Map();
  const plain: ExpressionScope = {
    params: spec.paramKind != null,
    authorizer: true,
    patchTypes: false,
  };
  const check = (scope: ExpressionScope, expression = ''): CheckedExpression | undefined =>
    compilers.compile({ expression, scope, environment: 'stored' }, types).compiled.checked;
  const variables = (spec.variables ?? []).map(({ name = '', expression }) => {
    const checked = check(plain, expression);
    const type = checked?.types[checked.expression.id] ?? dynType;
    types.set(name, declarable(type));
    return { name, checked };
  });
  return {
    variables,
    matchConditions: (spec.matchConditions ?? []).map(({ expression }) => check(plain, expression)),
    mutations: (spec.mutations ?? []).map(({ applyConfiguration, jsonPatch }) =>
      check({ ...plain, patchTypes: true }, (applyConfiguration ?? jsonPatch)?.expression),
    ),
  };
}
