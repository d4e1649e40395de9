import { conditionsHold, own } from '../evaluate.ts';
import type { CelException } from '../exceptions.ts';
import type { CompiledSpec } from '../policy.ts';
import type { Bindings, CelResult } from '../request.ts';
import type { Lookup } from '../variables.ts';

/** Whether a spec that selects a request is evaluated, and why not. */
export type Gate =
  | { readonly outcome: 'evaluate' }
  /** A match condition is false. */
  | { readonly outcome: 'unmatched' }
  | { readonly outcome: 'exempted'; readonly result: CelResult }
  | { readonly outcome: 'error'; readonly message: string };

/**
 * Evaluates the match conditions of an ImageValidatingPolicy and then its exceptions. Conditions read neither variables
 * nor images. Exceptions for some images or values alone exempt nothing.
 */
export function passGate(spec: CompiledSpec, bindings: Bindings): Gate {
  const lookup: Lookup = (name) => own(bindings, name);
  const ignoresErrors = spec.failurePolicy === 'Ignore';
  const matches = conditionsHold(spec.matchConditions, lookup);
  if (typeof matches === 'string' && !ignoresErrors) return { outcome: 'error', message: matches };
  if (matches !== true) return { outcome: 'unmatched' };
  const exemptions: CelException[] = [];
  for (const { exception, conditions, isExpired } of spec.exceptions) {
    if (isExpired()) continue;
    const applies = conditionsHold(conditions, lookup);
    if (typeof applies === 'string' && !ignoresErrors && exemptions.length === 0) {
      return { outcome: 'error', message: applies };
    }
    const isPartial = exception.images.length + exception.allowedValues.length > 0;
    if (applies === true && !isPartial) exemptions.push(exception);
  }
  if (exemptions.length === 0) return { outcome: 'evaluate' };
  const keys = exemptions.map(({ key }) => key).join(', ');
  const message = `rule is skipped due to policy exception: ${keys}`;
  return { outcome: 'exempted', result: { rule: 'exception', status: 'skip', message } };
}
