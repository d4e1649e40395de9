import { childrenOf, type Expression } from '@kubeadmit/cel/syntax';
import type { PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { PolicyExpression } from '../expressions/policy-expressions.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** Variables of a policy that none of its expressions uses, so that they are never evaluated. */
export function unusedVariables(
  manifest: Manifest,
  { variables }: PolicySpec,
  expressions: readonly PolicyExpression[],
): readonly LintIssue[] {
  const declared = variables ?? [];
  if (declared.length === 0) return [];
  const used = new Set(expressions.flatMap(variablesIn));
  return declared.flatMap(({ name = '' }, i) => {
    if (used.has(name)) return [];
    const message = `no expression uses the variable \`${name}\``;
    const text = { code: 'unused-variable', severity: 'info', message } as const;
    return [issueAt(manifest, `spec.variables[${i}].name`, text)];
  });
}

function variablesIn({ text, tree }: PolicyExpression): string[] {
  if (tree !== undefined) return namesIn(tree);
  // Invalid expressions are reported elsewhere, and may use the variable.
  return Array.from(text.matchAll(/variables\.(\w+)/g), ([, name = '']) => name);
}

function namesIn(expression: Expression): string[] {
  const isVariable =
    expression.kind === 'select' &&
    expression.operand.kind === 'identifier' &&
    expression.operand.name === 'variables';
  return [...(isVariable ? [expression.field] : []), ...childrenOf(expression).flatMap(namesIn)];
}
