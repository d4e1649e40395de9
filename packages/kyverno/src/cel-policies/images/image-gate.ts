import { conditionsHold, findExceptions, own } from '../evaluate.ts';
import { isFullException } from '../exceptions.ts';
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
  const exempted = findExceptions(spec, lookup, ignoresErrors);
  if (typeof exempted === 'string') return { outcome: 'error', message: exempted };
  if (!exempted.isFull) return { outcome: 'evaluate' };
  const keys = exempted.matched
    .filter(isFullException)
    .map(({ key }) => key)
    .join(', ');
  const message = `rule is skipped due to policy exception: ${keys}`;
  return { outcome: 'exempted', result: { rule: 'exception', status: 'skip', message } };
}
