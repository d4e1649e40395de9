import { NestingError } from '@kubeadmit/go/internal';

/**
 * What to say where the JavaScript runtime gives up: values nested deeper than its stack reaches, texts
 * or lists longer than it can hold. `undefined` for every other failure.
 */
export function formatHostLimit(failure: unknown): string | undefined {
  if (failure instanceof NestingError) return 'internal error: values are nested too deeply';
  if (!(failure instanceof Error) || !/^(?:Range|Internal)Error$/.test(failure.name)) {
    return undefined;
  }
  return /stack|recursion/.test(failure.message)
    ? 'internal error: values are nested too deeply'
    : 'internal error: a value is too large';
}

/** What a failure of the host says of itself, whatever it threw. */
export function reasonOf(failure: unknown): string {
  try {
    return String(failure instanceof Error ? failure.message : failure);
  } catch {
    return typeof failure;
  }
}
