/** A field of a pod that a check objects to. */
export interface PodFieldError {
  readonly field: string;
  readonly kind: 'required' | 'forbidden';
  /** The value of the field; `undefined` or empty if the message omits it. */
  readonly value?: FieldValue | undefined;
}

/** The form of a field's value in messages. */
export type FieldValue = string | number | boolean | readonly string[];

/** A violation of the Pod Security Standards. */
export interface Finding {
  readonly reason: string;
  readonly errors: readonly PodFieldError[];
}

/** A field that must be set and is not. */
export function required(field: string): PodFieldError {
  return { field, kind: 'required' };
}

/** A field that must not hold what it holds. */
export function forbidden(field: string, value?: FieldValue): PodFieldError {
  return { field, kind: 'forbidden', value };
}

/** A finding, unless there is nothing wrong. */
export function findingOf(reason: string, errors: readonly PodFieldError[]): Finding | undefined {
  return errors.length === 0 ? undefined : { reason, errors };
}

/** A field error as Kyverno writes it (`FormatChecksPrint`). */
export function formatPodFieldError({ field, kind, value }: PodFieldError): string {
  if (kind === 'required') return `${field}: Required value`;
  if (value === undefined || value === '') return `${field}: Forbidden`;
  const shown = typeof value === 'object' ? `[${value.join(' ')}]` : String(value);
  return `${field} is forbidden, forbidden values found: ${shown}`;
}
