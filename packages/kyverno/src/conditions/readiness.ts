import type { JsonObject } from '@kubeadmit/apimachinery';
import { loadEntries } from '../context/entries.ts';
import type { JsonContext } from '../context/json-context.ts';
import type { ContextSources } from '../context/sources.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { RuleOutcome } from '../trace/outcome.ts';
import type { Conditions } from './compile.ts';
import { evaluateConditions, joinMessages } from './evaluate.ts';

/** The requirements of a rule, or of a part of one. */
export interface Needs {
  readonly context: readonly JsonObject[];
  readonly preconditions: Conditions | Failure | undefined;
}

/**
 * Loads the context of a rule or a part of it, and evaluates its preconditions. Returns the outcome if it is skipped.
 */
export function unreadiness(
  context: JsonContext,
  { context: entries, preconditions }: Needs,
  sources: ContextSources,
  policyNamespace: string,
): RuleOutcome | undefined {
  const problem = loadEntries(context, entries, sources, policyNamespace);
  if (problem !== undefined) {
    return { status: 'error', message: `failed to load context: ${problem.message}` };
  }
  if (preconditions === undefined) return undefined;
  const met = evaluateConditions(context, preconditions);
  if (met instanceof Failure) {
    return { status: 'error', message: `failed to evaluate preconditions: ${met.message}` };
  }
  if (met.result) return undefined;
  const message = joinMessages(['preconditions not met', met.message], '; ');
  return { status: 'skip', message };
}
