import { childrenOf } from '@kubeadmit/cel/internal';
import type { Expression } from '@kubeadmit/cel/syntax';
import { baseEnvironment } from '@kubeadmit/engine';
import type { MutatingSpec, PolicySpec, ValidatingSpec } from '@kubeadmit/engine/internal';
import type { Manifest } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue.ts';

/** Variables of a policy that none of its expressions uses, so that they are never evaluated. */
export function unusedVariables(manifest: Manifest, spec: PolicySpec): LintIssue[] {
  const used = new Set(expressionsOf(spec).flatMap(variablesIn));
  return (spec.variables ?? []).flatMap(({ name = '' }, i) => {
    if (used.has(name)) return [];
    const message = `no expression uses the variable \`${name}\``;
    const text = { code: 'unused-variable', severity: 'info', message } as const;
    return [issueAt(manifest, `spec.variables[${i}].name`, text)];
  });
}

function expressionsOf(spec: ValidatingSpec & MutatingSpec): string[] {
  const texts = [
    ...(spec.variables ?? []).map(({ expression }) => expression),
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.validations ?? []).flatMap((each) => [each.expression, each.messageExpression]),
    ...(spec.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression),
    ...(spec.mutations ?? []).flatMap((each) => [
      each.applyConfiguration?.expression,
      each.jsonPatch?.expression,
    ]),
  ];
  return texts.filter((text) => text !== undefined);
}

function variablesIn(text: string): string[] {
  const { expression } = baseEnvironment().parse(text);
  // What is wrong with an expression is told elsewhere, and may well have been meant to use variables.
  if (expression === undefined)
    return Array.from(text.matchAll(/variables\.(\w+)/g), ([, name = '']) => name);
  return namesIn(expression);
}

function namesIn(expression: Expression): string[] {
  const isVariable =
    expression.kind === 'select' &&
    expression.operand.kind === 'identifier' &&
    expression.operand.name === 'variables';
  return [...(isVariable ? [expression.field] : []), ...childrenOf(expression).flatMap(namesIn)];
}
