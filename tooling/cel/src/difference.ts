import { parseJson, type Value } from '@kubeadmit/cel';
import { type EvaluateAnswer, evaluateCase } from '@kubeadmit/engine';
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
  if (found.length === 0) {
    return undefined;
  }
  return found
    .map(
      (name) =>
        `${name}: oracle ${JSON.stringify(wanted[name])} ours ${JSON.stringify(given[name])}`,
    )
    .join('\n    ');
}

function answer(input: GeneratedCase): EvaluateAnswer | { readonly crash: string } {
  try {
    return evaluateCase({
      ...input,
      variables: parseJson(JSON.stringify(input.variables)) as Readonly<Record<string, Value>>,
    });
  } catch (problem) {
    return {
      crash: problem instanceof Error ? (problem.stack ?? problem.message) : String(problem),
    };
  }
}

// Texts of Go panics are free but for their prefix, and cancel what was counted at random places.
// Named formats print the address of a function, and type variables are numbered in the order of a map.
function normalize(given: object): Record<string, unknown> {
  const { id: _, ...rest } = given as Record<string, unknown>;
  const { error, result, cost } = rest;
  if (typeof cost === 'number' && cost > Number.MAX_SAFE_INTEGER) {
    return { ...rest, cost: 'beyond 2^53' };
  }
  if (typeof error === 'string' && error.startsWith('internal error: ')) {
    return { ...rest, error: 'internal error' };
  }
  if (rest['issues'] !== undefined) {
    const issues = JSON.stringify(rest['issues']);
    return { ...rest, issues: issues.replace(/_var\d+/g, '_var') };
  }
  return typeof result === 'string'
    ? { ...rest, result: result.replace(/NamedFormat\(\{(\w+) 0x\w+ \d+\}\)/g, 'NamedFormat($1)') }
    : rest;
}
