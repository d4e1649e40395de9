import type { JsonObject } from '@kubeadmit/apimachinery';
import type { CompiledValidatingPolicy } from '@kubeadmit/engine';
import { objectField, objectsField, stringField } from '../fields/fields.ts';
import { compileMatchConditions } from '../policy/match-conditions.ts';
import { readRuleHead } from '../rule/rule.ts';
import { compileCel } from '../validate/cel.ts';
import { type Problem, problemAt } from './problem.ts';

/**
 * Returns the CEL expressions of a ClusterPolicy or Policy that do not compile. Kyverno takes such a policy; each request
 * that a rule matches is then an error.
 */
export function ruleExpressionProblems(source: JsonObject): readonly Problem[] {
  const spec = objectField(source, 'spec') ?? {};
  const webhook = objectField(spec, 'webhookConfiguration') ?? {};
  const conditions = compileMatchConditions(objectsField(webhook, 'matchConditions'), undefined);
  return [
    ...problemsAt(
      'spec.webhookConfiguration.matchConditions',
      conditions.map(({ compiled }) => compiled),
    ),
    ...objectsField(spec, 'rules').flatMap((rule, at) => ruleProblems(rule, `spec.rules[${at}]`)),
  ];
}

function ruleProblems(rule: JsonObject, path: string): readonly Problem[] {
  const validate = objectField(rule, 'validate') ?? {};
  const cel = objectField(validate, 'cel');
  if (cel === undefined) return [];
  const head = readRuleHead({ source: rule, origin: undefined });
  const compiled = compileCel(head, validate).compiled();
  const variables = objectsField(cel, 'variables').map((variable) =>
    compiled.variables.get(stringField(variable, 'name')),
  );
  const own = `${path}.validate.cel`;
  return [
    ...problemsAt(
      `${path}.celPreconditions`,
      compiled.matchConditions.map((condition) => condition.compiled),
    ),
    ...problemsAt(`${own}.variables`, variables),
    ...problemsAt(`${own}.expressions`, compiled.validationExpressions),
    ...problemsAt(`${own}.expressions`, compiled.messageExpressions, 'messageExpression'),
    ...problemsAt(`${own}.auditAnnotations`, compiled.auditExpressions, 'valueExpression'),
  ];
}

type Compiled = CompiledValidatingPolicy['validationExpressions'][number];

function problemsAt(
  list: string,
  expressions: readonly (Compiled | undefined)[],
  field: string = 'expression',
): readonly Problem[] {
  return expressions.flatMap((compiled, at) =>
    compiled?.problem === undefined
      ? []
      : [problemAt(`${list}[${at}].${field}`, compiled.problem.detail)],
  );
}
