import type { JsonObject } from '@kubeadmit/apimachinery';
import { formatJson } from '@kubeadmit/go';
import { field, objectField, saysSomething } from '../fields/fields.ts';
import { readRule } from './read-policy.ts';

/** A change of a policy that generated objects do not follow. */
export interface GenerateChange {
  /** The warning; empty for a refused change. */
  readonly warning: string;
  /** Why the change is refused; empty for a warning. */
  readonly error: string;
}

/** Compares the rules that generate objects with those of the stored policy (`immutableGenerateFields`). */
export function generateChange(
  rules: readonly JsonObject[],
  storedRules: readonly JsonObject[],
): GenerateChange | undefined {
  const [updated, stored] = [generating(rules), generating(storedRules)];
  if (!includesAll(updated.map(immutableGeneration), stored.map(immutableGeneration))) {
    const warning = 'changes in the generate rule pattern could result in stale targets';
    return { warning, error: '' };
  }
  const keepsMatch = stored.some(
    (rule) => field(objectField(rule, 'generate') ?? {}, 'synchronize') === true,
  );
  const rest = (rule: JsonObject): string => immutableRest(rule, keepsMatch);
  if (!includesAll(updated.map(rest), stored.map(rest))) {
    const error = 'changes of immutable fields of a rule spec in a generate rule is disallowed';
    return { warning: '', error };
  }
  return undefined;
}

function includesAll(all: readonly string[], some: readonly string[]): boolean {
  return some.every((text) => all.includes(text));
}

function generating(rules: readonly JsonObject[]): readonly JsonObject[] {
  return rules.map(readRule).filter((rule) => saysSomething(objectField(rule, 'generate')));
}

function immutableGeneration(rule: JsonObject): string {
  const {
    synchronize: _synchronize,
    data: _data,
    foreach: _foreach,
    orphanDownstreamOnPolicyDelete: _orphan,
    generateExisting: _existing,
    ...rest
  } = objectField(rule, 'generate') ?? {};
  return formatJson(rest);
}

// The match may change while no generated object is kept in step.
function immutableRest(rule: JsonObject, keepsMatch: boolean): string {
  const { generate: _, match, ...rest } = rule;
  return formatJson(keepsMatch ? { ...rest, match } : rest);
}
