import { memberText } from '@kubeadmit/apimachinery';
import type { CompiledValidatingPolicy } from '@kubeadmit/engine';
import type {
  CompiledExpression,
  ExpressionResult,
  ExpressionScope,
  PolicyCompiler,
  PolicyCompilers,
} from '@kubeadmit/engine/unstable-internal';
import type { TemplateSource } from './template.ts';

// Variables alone see the constraint; nothing sees an authorizer.
const plain: ExpressionScope = { params: false, authorizer: false, patchTypes: false };
const withConstraint: ExpressionScope = { ...plain, params: true };

/** The variables that Gatekeeper declares before those of a template (`transform/cel_snippets.go`). */
const ownVariables = [
  {
    name: 'anyObject',
    expression:
      'has(request.operation) && request.operation == "DELETE" && object == null ? oldObject : object',
  },
  {
    name: 'params',
    expression:
      '!has(params.spec) ? null : !has(params.spec.parameters) ? null: params.spec.parameters',
  },
];

/**
 * Compiles the code of a template as Gatekeeper's driver does (`pkg/drivers/k8scel/driver.go`): an expression that does
 * not compile fails when it is evaluated.
 */
export function compileTemplate(
  { failurePolicy, matchConditions, variables, validations }: TemplateSource,
  compilers: PolicyCompilers,
): CompiledValidatingPolicy {
  const compiler = compilers.composing();
  const compiledVariables = new Map<string, CompiledExpression>();
  const all = [
    ...ownVariables,
    ...variables.map((each) => ({
      name: memberText(each, 'name'),
      expression: memberText(each, 'expression'),
    })),
  ];
  for (const { name, expression } of all) {
    const request = {
      expression,
      scope: withConstraint,
      result: 'any',
      environment: 'stored',
    } as const;
    compiledVariables.set(name, compiler.compileVariable(name, request));
  }
  const compile = compileWith(compiler);
  const messages = validations.map((each) => {
    const expression = memberText(each, 'messageExpression');
    return expression === '' ? undefined : compile(expression, 'string');
  });
  return {
    failurePolicy,
    variables: compiledVariables,
    matchConditions: matchConditions.map((condition) => ({
      name: memberText(condition, 'name'),
      compiled: compile(memberText(condition, 'expression'), 'bool'),
    })),
    validations: validations.map((validation) => ({
      expression: memberText(validation, 'expression'),
      message: memberText(validation, 'message'),
    })),
    validationExpressions: validations.map((each) =>
      compile(memberText(each, 'expression'), 'bool'),
    ),
    messageExpressions: messages.some((message) => message !== undefined) ? messages : [],
    auditAnnotations: [],
    auditExpressions: [],
  };
}

function compileWith(
  compiler: PolicyCompiler,
): (expression: string, result: ExpressionResult) => CompiledExpression {
  return (expression, result) =>
    compiler.compile({ expression, scope: plain, result, environment: 'stored' });
}
