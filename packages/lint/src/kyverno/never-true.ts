import { policyJson } from '@kubeadmit/chain/kyverno';
import { hasOrder } from '@kubeadmit/kyverno/unstable-internal';
import type { Manifest, Path } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue/issue.ts';

const ordering = /^(Duration)?(?:Greater|Less)Than(?:OrEquals)?$/;

/**
 * Returns the conditions of rules and exceptions that are never true: they compare by size, and their value has no
 * size, such as `five`. Kyverno accepts them, and logs an error each time.
 */
export function neverTrueConditions(manifest: Manifest): readonly LintIssue[] {
  return [...conditionsIn(policyJson(manifest.object)['spec'], ['spec'])].flatMap(
    ({ condition, path }) => {
      const operator = String(condition['operator']);
      const isDuration = ordering.exec(operator)?.[1] !== undefined;
      const stray = (['key', 'value'] as const).find((name) => {
        const operand = condition[name];
        return operand !== undefined && isConstant(operand) && !hasOrder(operand, isDuration);
      });
      if (stray === undefined) return [];
      const comparable = isDuration
        ? 'durations such as `1h` or numbers of seconds'
        : 'numbers, quantities, durations and versions';
      const message = `the condition is never true: ${operator} compares ${comparable}; this ${stray} cannot be compared`;
      const issue = { code: 'kyverno-condition', severity: 'warning', message } as const;
      return [issueAt(manifest, [...path, stray], issue)];
    },
  );
}

interface FoundCondition {
  readonly condition: { readonly [name: string]: unknown };
  readonly path: Path;
}

/** Every object below a value that is a condition with an operator of order. */
function* conditionsIn(value: unknown, path: Path): Generator<FoundCondition> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* conditionsIn(item, [...path, i]);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const held = value as { readonly [name: string]: unknown };
  if (Object.hasOwn(held, 'key') && ordering.test(String(held['operator']))) {
    yield { condition: held, path };
    return;
  }
  for (const [name, inner] of Object.entries(held)) yield* conditionsIn(inner, [...path, name]);
}

/** Whether a value holds no variable that Kyverno replaces; values that are null count as absent. */
function isConstant(value: unknown): boolean {
  if (value === null) return false;
  return !/\{\{|\$\(/.test(typeof value === 'string' ? value : JSON.stringify(value, jsonReplacer));
}

function jsonReplacer(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
