import { type Expected, requireArgument } from '@kubeadmit/base';
import type { ExpressionResult, ExpressionScope } from './expression.ts';
import type { CompiledMatchCondition } from './match-conditions.ts';
import type { MutatingSpec, PolicySpec, ValidatingSpec, Validation } from './model.ts';
import type { CompiledExpression, CompiledVariables, PolicyCompiler } from './program.ts';

/** Common parts of compiled policies. */
export interface CompiledPolicy {
  /** `Fail` or `Ignore`. */
  readonly failurePolicy: string;
  readonly variables: CompiledVariables;
  readonly matchConditions: readonly CompiledMatchCondition[];
}

/** A ValidatingAdmissionPolicy, compiled once for many requests. */
export interface CompiledValidatingPolicy extends CompiledPolicy {
  /** As the policy has them. */
  readonly validations: readonly Validation[];
  /** In the places of the validations. */
  readonly validationExpressions: readonly CompiledExpression[];
  /** In the places of the validations; `undefined` for those without `messageExpression`; empty where none has one. */
  readonly messageExpressions: readonly (CompiledExpression | undefined)[];
  /** In the order of the policy. */
  readonly auditAnnotations: readonly {
    readonly key: string;
    readonly compiled: CompiledExpression;
  }[];
  /** Those of the audit annotations, in their places. */
  readonly auditExpressions: readonly CompiledExpression[];
}

/** One mutation of a policy, compiled. */
export interface CompiledMutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly compiled: CompiledExpression;
}

/** A MutatingAdmissionPolicy, compiled once for many requests. */
export interface CompiledMutatingPolicy extends CompiledPolicy {
  /** In the order in which they are applied. */
  readonly mutations: readonly CompiledMutation[];
  /** Whether the policy runs again after a later policy changed the object. */
  readonly reinvoke: boolean;
}

const policyCompiler: Expected = { what: 'a compiler of expressions', has: 'compile' };
const specOfPolicy = {
  what: 'the `spec` of a policy',
  whole: { members: ['kind', 'spec', 'metadata'], called: 'the whole policy' },
};

/**
 * Compiles a ValidatingAdmissionPolicy that passed validation.
 *
 * @throws TypeError if `spec` is not a policy's spec
 */
export function compileValidatingPolicy(
  spec: ValidatingSpec,
  compiler: PolicyCompiler,
): CompiledValidatingPolicy {
  requireArgument('compileValidatingPolicy', spec, specOfPolicy);
  requireArgument('compileValidatingPolicy', compiler, policyCompiler);
  const scope = scopeOf(spec);
  const compile = compileWith(compiler, spec, scope);
  const compileMessage = compileWith(compiler, spec, { ...scope, authorizer: false });
  const common = compileCommon(spec, compiler);
  const validations = spec.validations ?? [];
  const messages = validations.map(({ messageExpression }, i) =>
    messageExpression
      ? compileMessage(messageExpression, 'string', `spec.validations[${i}].messageExpression`)
      : undefined,
  );
  const auditAnnotations = (spec.auditAnnotations ?? []).map(({ key = '', valueExpression }, i) => {
    const path = `spec.auditAnnotations[${i}].valueExpression`;
    return { key, compiled: compile(valueExpression, 'stringOrNull', path) };
  });
  return {
    ...common,
    validations,
    validationExpressions: validations.map(({ expression }, i) =>
      compile(expression, 'bool', `spec.validations[${i}].expression`),
    ),
    messageExpressions: messages.some((message) => message !== undefined) ? messages : [],
    auditAnnotations,
    auditExpressions: auditAnnotations.map(({ compiled }) => compiled),
  };
}

/**
 * Compiles a MutatingAdmissionPolicy that passed validation.
 *
 * @throws TypeError if `spec` is not a policy's spec
 */
export function compileMutatingPolicy(
  spec: MutatingSpec,
  compiler: PolicyCompiler,
): CompiledMutatingPolicy {
  requireArgument('compileMutatingPolicy', spec, specOfPolicy);
  requireArgument('compileMutatingPolicy', compiler, policyCompiler);
  const common = compileCommon(spec, compiler, true);
  const compile = compileWith(compiler, spec, { ...scopeOf(spec), patchTypes: true });
  const mutations = (spec.mutations ?? []).map((mutation, i): CompiledMutation => {
    const path = `spec.mutations[${i}]`;
    if (mutation.patchType === 'JSONPatch') {
      const { expression } = mutation.jsonPatch ?? {};
      const compiled = compile(expression, 'jsonPatch', `${path}.jsonPatch.expression`);
      return { patchType: 'JSONPatch', compiled };
    }
    const { expression } = mutation.applyConfiguration ?? {};
    const compiled = compile(expression, 'object', `${path}.applyConfiguration.expression`);
    return { patchType: 'ApplyConfiguration', compiled };
  });
  return { ...common, mutations, reinvoke: spec.reinvocationPolicy === 'IfNeeded' };
}

function scopeOf(spec: PolicySpec): ExpressionScope {
  return { params: spec.paramKind != null, authorizer: true, patchTypes: false };
}

function compileWith(
  compiler: PolicyCompiler,
  spec: PolicySpec,
  scope: ExpressionScope,
): (expression: string | undefined, result: ExpressionResult, path: string) => CompiledExpression {
  return (expression = '', result, path) =>
    compiler.compile({ expression, scope, result, environment: 'stored', home: { spec, path } });
}

// Variables come first: everything else may use them.
function compileCommon(
  spec: PolicySpec,
  compiler: PolicyCompiler,
  tellsSums = false,
): CompiledPolicy {
  const scope = scopeOf(spec);
  const variables = new Map<string, CompiledExpression>();
  for (const [i, { name = '', expression = '' }] of (spec.variables ?? []).entries()) {
    const request = {
      expression,
      scope,
      result: 'any',
      environment: 'stored',
      tellsSums,
      home: { spec, path: `spec.variables[${i}].expression` },
    } as const;
    variables.set(name, compiler.compileVariable(name, request));
  }
  const compile = compileWith(compiler, spec, scope);
  const matchConditions = (spec.matchConditions ?? []).map(({ name = '', expression }, i) => ({
    name,
    compiled: compile(expression, 'bool', `spec.matchConditions[${i}].expression`),
  }));
  return { failurePolicy: spec.failurePolicy ?? 'Fail', variables, matchConditions };
}
