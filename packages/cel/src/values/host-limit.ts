import { NestingError } from '@kubeadmit/go/unstable-internal';

/**
 * Returns the message for a limit of the JavaScript runtime: values nested deeper than its stack, or strings and
 * lists that are too long. Returns `undefined` for every other failure.
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

/** Returns the message of a host failure, whatever was thrown. */
export function reasonOf(failure: unknown): string {
  try {
    return String(failure instanceof Error ? failure.message : failure);
  } catch {
    return typeof failure;
  }
}
