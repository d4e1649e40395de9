import { formatJson, JsonFormError } from '@kubeadmit/go';
import { Failure } from './failure.ts';

/** A value as Go's JSON encoder writes it, keys sorted; NaN and infinities, which have no JSON, are a `Failure`. */
export function toJson(value: unknown): string | Failure {
  try {
    return formatJson(value, { isSorted: true });
  } catch (error) {
    if (error instanceof JsonFormError) return new Failure(error.message);
    throw error;
  }
}
