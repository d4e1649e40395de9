import { parseJson, type Value } from '@kubeadmit/cel';
import { type ExpressionAnswer, evaluateExpression } from '@kubeadmit/engine';
import type { GeneratedCase } from './generate/case.ts';

/** The part of two answers that differs, as text; `undefined` where they agree. */
export function difference(
  input: GeneratedCase,
  expected: Readonly<Record<string, unknown>>,
): string | undefined {
  const ours = answer(input);
  const wanted = normalize(expected);
  const given = normalize(ours);
  const names = new Set([...Object.keys(wanted), ...Object.keys(given)]);
  const found = [...names].filter(
    (name) => JSON.stringify(wanted[name]) !== JSON.stringify(given[name]),
  );
  if (found.length === 0) return undefined;
  return found
    .map(
      (name) =>
        `${name}: oracle ${JSON.stringify(wanted[name])} ours ${JSON.stringify(given[name])}`,
    )
    .join('\n    ');
}

function answer({ id: _, ...input }: GeneratedCase): ExpressionAnswer | { readonly crash: string } {
  try {
    return evaluateExpression({
      ...input,
      variables: parseJson(JSON.stringify(input.variables)) as Readonly<Record<string, Value>>,
    });
  } catch (problem) {
    return {
      crash: problem instanceof Error ? (problem.stack ?? problem.message) : String(problem),
    };
  }
}

/** What answers say of how Go works inside, and what is compared in its place. */
const innerWorkings: readonly (readonly [RegExp, string])[] = [
  // The address of a function.
  [/NamedFormat\(\{(\w+) 0x\w+ \d+\}\)/g, 'NamedFormat($1)'],
  // Type variables are numbered in the order of a map.
  [/_var\d+/g, '_var'],
];

function normalize(given: object): Record<string, unknown> {
  let text = JSON.stringify(given, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  for (const [pattern, replacement] of innerWorkings) text = text.replace(pattern, replacement);
  const { id: _, ...answer } = JSON.parse(text) as Record<string, unknown>;
  const { error, cost } = answer;
  // Texts of Go panics are free but for their prefix.
  if (typeof error === 'string' && error.startsWith('internal error: ')) {
    return { ...answer, error: 'internal error' };
  }
  return typeof cost === 'number' && cost > Number.MAX_SAFE_INTEGER
    ? { ...answer, cost: 'beyond 2^53' }
    : answer;
}
