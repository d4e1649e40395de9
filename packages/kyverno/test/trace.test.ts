import { stringifyJson } from '@kubeadmit/go';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { prepareRules, type RulesCase } from '../src/internal.ts';
import { type FiltersTrace, type RuleTrace, RuleTracer, type TraceStep } from '../src/traces.ts';

// Traces must agree with the engine: the answers are those of Kyverno with and without a tracer, and each trace is
// consistent with its answer.

interface Recorded {
  readonly case: RulesCase;
  readonly answer: unknown;
}

function casesOf(name: string): readonly Recorded[] {
  const file = new URL(`../../../conformance/kyverno/${name}.ndjson`, import.meta.url);
  // Every fifth, to be quick.
  return readLines<Recorded>(file).filter((_, at) => at % 5 === 0);
}

describe.each(['validate', 'mutate', 'surroundings', 'sections', 'pod-security'])('%s', (name) => {
  test('has the same verdict when traced, and the trace matches it', () => {
    let rules = 0;
    for (const { case: given, answer } of casesOf(name)) {
      const trace = new RuleTracer();
      const watched = prepareRules(given, { trace })();
      const about = JSON.stringify(given);
      expect(JSON.parse(stringifyJson(watched)), about).toEqual(answer);
      const told = trace.policies.flatMap((policy) => policy.rules);
      rules += told.length;
      const results = told.flatMap((rule) => rule.results.map(({ status }) => status));
      expect(results.toSorted(), about).toEqual(
        watched.results.map(({ status }) => status).toSorted(),
      );
      expect(told.flatMap(wrongIn), about).toEqual([]);
    }
    expect(rules).toBeGreaterThan(5);
  });
});

/** Returns the contradictions in a trace. */
function wrongIn({ rule, match, steps, results }: RuleTrace): readonly string[] {
  const isIn = match.elsewhere === undefined && match.match?.matches === true;
  return [
    ...(match.concerns === (isIn && match.exclude?.matches !== true) ? [] : [`${rule}: concerns`]),
    ...(match.concerns || (steps.length === 0 && results.length === 0) ? [] : [`${rule}: asked`]),
    ...[match.match, match.exclude].flatMap((block) => wrongFilters(rule, block)),
    ...steps.flatMap(wrongSteps),
  ];
}

function wrongFilters(rule: string, block: FiltersTrace | undefined): readonly string[] {
  return (block?.filters ?? []).flatMap(({ matches, isEmpty, misfits }) =>
    matches === (!isEmpty && misfits.length === 0) ? [] : [`${rule}: filter`],
  );
}

function wrongSteps(step: TraceStep): readonly string[] {
  const inner = 'steps' in step ? step.steps : [];
  const wrong = inner.flatMap(wrongSteps);
  // An empty `any` list never holds and has no evaluated conditions.
  if (step.kind !== 'conditions' || step.error !== undefined || inner.length === 0) return wrong;
  const held = (list: string): readonly boolean[] =>
    inner.flatMap((each) =>
      each.kind === 'condition' && each.list === list ? [each.result === true] : [],
    );
  const any = held('any');
  const result =
    (any.length === 0 || any.some(Boolean)) && [...held('all'), ...held('old')].every(Boolean);
  return result === step.result ? wrong : [...wrong, `conditions: ${JSON.stringify(step)}`];
}
