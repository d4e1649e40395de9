import { CelError } from './value.ts';

/** The error of a call with values that nothing is defined for. */
export function noOverload(): CelError {
  return new CelError('no such overload');
}
