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
  /** The reason in kube-apiserver's words, such as `hostPort`. */
  readonly reason: string;
  /** The fields at fault, which Kyverno prints and excludes. */
  readonly errors: readonly PodFieldError[];
  /** The containers, volumes and values at fault in kube-apiserver's words. */
  readonly detail: string;
}

/** An error about a required field that is absent. */
export function required(field: string): PodFieldError {
  return { field, kind: 'required' };
}

export function forbidden(field: string, value?: FieldValue): PodFieldError {
  return { field, kind: 'forbidden', value };
}

/** Returns the finding about field errors; `undefined` without errors. */
export function findingOf(
  reason: string,
  errors: readonly PodFieldError[],
  describe: () => string,
): Finding | undefined {
  return errors.length === 0 ? undefined : { reason, errors, detail: describe() };
}

/** Formats a field error as Kyverno does (`FormatChecksPrint`). */
export function formatPodFieldError({ field, kind, value }: PodFieldError): string {
  if (kind === 'required') return `${field}: Required value`;
  if (value === undefined || value === '') return `${field}: Forbidden`;
  const shown = typeof value === 'object' ? `[${value.join(' ')}]` : String(value);
  return `${field} is forbidden, forbidden values found: ${shown}`;
}
