import { CelError, type Value } from '@kubeadmit/cel';
import type { CelProgram } from './compile-expressions.ts';
import { type CelException, exemptionOf, isFullException } from './exceptions.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import type { Bindings, CelResult } from './request.ts';
import { type Lookup, PolicyVariables } from './variables.ts';

/** The result of conditions and exceptions: whether anything remains to evaluate. */
export type Prepared =
  | { readonly outcome: 'evaluate'; readonly lookup: Lookup }
  /** A match condition is false. */
  | { readonly outcome: 'unmatched' }
  | { readonly outcome: 'decided'; readonly result: CelResult };

/** The result of a policy that validates or mutates and whose match conditions are not met. */
export const skipped: CelResult = { status: 'skip', message: 'skip' };

/**
 * Asks the exceptions and then the match conditions of a policy about a request (Kyverno's
 * `evaluateWithData`).
 *
 * @param override values in the place of the bindings, such as the object that is being mutated.
 */
export function prepare(
  { type }: CelPolicy,
  spec: CompiledSpec,
  bindings: Bindings,
  override: (name: string) => Value | undefined = () => undefined,
): Prepared {
  const validates = type === 'Validation';
  const failed = validates ? 'failed to load context' : 'failed to evaluate policy';
  const error = (message: string): Prepared => ({
    outcome: 'decided',
    result: { rule: 'evaluation', status: 'error', message: `${failed}: ${message}` },
  });
  const plain: Lookup = (name) => override(name) ?? own(bindings, name);
  // Only validating policies ignore errors of conditions because of their failure policy.
  const ignoresErrors = validates && spec.failurePolicy === 'Ignore';
  const exempted = findExceptions(spec, plain, ignoresErrors);
  if (typeof exempted === 'string') return error(exempted);
  if (exempted.isFull) return { outcome: 'decided', result: exemptionOf(exempted.matched) };
  const allowed = exempted.matched;
  const exceptions = {
    allowedImages: allowed.flatMap(({ images }) => images),
    allowedValues: allowed.flatMap(({ allowedValues }) => allowedValues),
  };
  const lookup: Lookup = (name) => {
    if (name === 'variables') return variables;
    return name === 'exceptions' ? (exceptions as Value) : plain(name);
  };
  const variables = new PolicyVariables(spec.variables, lookup);
  const matches = conditionsHold(spec.matchConditions, lookup);
  if (typeof matches === 'string' && !ignoresErrors) return error(matches);
  if (matches !== true) return { outcome: 'unmatched' };
  return { outcome: 'evaluate', lookup };
}

interface Exempted {
  readonly matched: readonly CelException[];
  /** Whether one of them saves the object from the whole policy. */
  readonly isFull: boolean;
}

/** Returns the exceptions whose conditions hold for a request; a string is the error of one. */
export function findExceptions(
  { exceptions }: CompiledSpec,
  lookup: Lookup,
  ignoresErrors: boolean,
): Exempted | string {
  const matched: CelException[] = [];
  let isFull = false;
  for (const { exception, conditions, isExpired } of exceptions) {
    if (isExpired()) continue;
    const matches = conditionsHold(conditions, lookup);
    // An exception that exempts already is not undone by a later one that fails.
    if (typeof matches === 'string' && !ignoresErrors && !isFull) return matches;
    if (matches !== true) continue;
    matched.push(exception);
    isFull ||= isFullException(exception);
  }
  return { matched, isFull };
}

/** Whether all conditions are true; a string with the error if one fails and none is false. */
export function conditionsHold(
  conditions: readonly CelProgram[],
  lookup: Lookup,
): boolean | string {
  const problems: string[] = [];
  for (const condition of conditions) {
    const { value } = condition.evaluate(lookup);
    if (value === false) return false;
    if (value instanceof CelError) problems.push(value.message);
    else if (value !== true) problems.push('no such overload');
  }
  return problems.length === 0 ? true : problems.join('; ');
}

/** The value of a variable among bindings. */
export function own(bindings: Bindings, name: string): Value | undefined {
  return Object.hasOwn(bindings, name) ? bindings[name] : undefined;
}

/** Returns the lookup of a spec without exceptions: its bindings and `variables`. */
export function lookupOf(spec: Pick<CompiledSpec, 'variables'>, bindings: Bindings): Lookup {
  const lookup: Lookup = (name) => (name === 'variables' ? variables : own(bindings, name));
  const variables = new PolicyVariables(spec.variables, lookup);
  return lookup;
}

/** The audit annotations of a policy, or the error of one. */
export function auditAnnotationsOf(
  { auditAnnotations }: CompiledSpec,
  lookup: Lookup,
  quoteKey: (key: string) => string = (key) => `'${key}'`,
): ReadonlyMap<string, string> | string {
  const annotations = new Map<string, string>();
  for (const [key, program] of auditAnnotations) {
    const { value } = program.evaluate(lookup);
    if (value instanceof CelError) {
      return `failed to evaluate auditAnnotation ${quoteKey(key)}: ${value.message}`;
    }
    if (typeof value === 'string' && value !== '') annotations.set(key, value);
  }
  return annotations;
}
