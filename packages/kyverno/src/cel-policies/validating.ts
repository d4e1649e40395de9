import { type JsonObject, textOf } from '@kubeadmit/apimachinery';
import { CelError } from '@kubeadmit/cel';
import { requireCelArguments } from './arguments.ts';
import { auditAnnotationsOf, prepare, skipped } from './evaluate.ts';
import type { CelSources } from './libraries/sources.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import {
  type Bindings,
  type CelRequest,
  type CelResult,
  matchesRequest,
  payloadBindings,
  policyBindings,
} from './request.ts';

/** The results of a ValidatingPolicy, one for each of its specs that has a result. */
export type CelResponse = readonly CelResult[];

/**
 * Evaluates a ValidatingPolicy for a request (Kyverno's `vpol` engine).
 *
 * Each spec that matches the request has results; one that does not match has none, or is omitted if it is silent
 * about other objects.
 *
 * @throws TypeError if the policy was not created by `compileCelPolicy`, or the request is invalid
 */
export function validateRequest(policy: CelPolicy, request: CelRequest): readonly CelResponse[] {
  requireCelArguments('validateRequest', policy, request);
  const { kind, name, namespace } = policy;
  request.trace?.policy({ kind, policy: name, namespace, type: 'Validation' });
  const broken = brokenPolicy(policy);
  if (broken !== undefined) return [[broken]];
  const bindings = policyBindings(request, false);
  return policy.specs.flatMap((spec): readonly CelResponse[] => {
    const matches = matchesRequest(policy, spec, request);
    if (typeof matches === 'string') {
      return [
        [{ rule: 'match', status: 'error', message: `failed to execute matching: ${matches}` }],
      ];
    }
    if (matches) return [[validate(policy, spec, bindings)]];
    return spec.isSilent ? [] : [[]];
  });
}

/** Asks a ValidatingPolicy of the evaluation mode JSON about a JSON object. */
export function validatePayload(
  policy: CelPolicy,
  payload: JsonObject,
  sources: CelSources,
): CelResult {
  const broken = brokenPolicy(policy);
  const [spec] = policy.specs;
  if (broken !== undefined || spec === undefined) return broken ?? { status: 'skip', message: '' };
  return validate(policy, spec, payloadBindings(payload, sources));
}

/** The result of a policy that cannot be compiled. */
export function brokenPolicy({ name, problems }: CelPolicy): CelResult | undefined {
  if (problems.length === 0) return undefined;
  const texts = problems.map(({ message }) => message);
  return { status: 'error', message: `failed to compile policy ${name} (${texts.join(', ')})` };
}

function validate(policy: CelPolicy, spec: CompiledSpec, bindings: Bindings): CelResult {
  const prepared = prepare(policy, spec, bindings);
  if (prepared.outcome === 'decided') return prepared.result;
  if (prepared.outcome === 'unmatched') return skipped;
  const { lookup } = prepared;
  for (const [index, validation] of spec.validations.entries()) {
    const { value } = validation.program.evaluate(lookup);
    if (value instanceof CelError) return { status: 'error', message: `error: ${value.message}` };
    if (value === true) continue;
    if (value !== false) return { status: 'error', message: 'error: no such overload' };
    const annotations = auditAnnotationsOf(spec, lookup);
    if (typeof annotations === 'string')
      return { status: 'error', message: `error: ${annotations}` };
    return { status: 'fail', message: failureMessage(validation, lookup, index) };
  }
  const annotations = auditAnnotationsOf(spec, lookup);
  return typeof annotations === 'string'
    ? { rule: 'evaluation', status: 'error', message: `failed to load context: ${annotations}` }
    : { status: 'pass', message: 'success' };
}

/** The message of a validation that is not true. */
export function failureMessage(
  { message, messageExpression }: CompiledSpec['validations'][number],
  lookup: Parameters<typeof auditAnnotationsOf>[1],
  index: number,
): string {
  const fallback = `CEL expression validation failed at index ${index}`;
  if (messageExpression === undefined) return message || fallback;
  const { value } = messageExpression.evaluate(lookup);
  if (value instanceof CelError) return `failed to evaluate message expression: ${value.message}`;
  return textOf(value) || fallback;
}
