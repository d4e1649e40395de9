import { jsonTypeOf } from '@kubeadmit/go';

/** Returns the message of Go's `encoding/json` for a value of the wrong type. */
export function unmarshalProblem(value: unknown, type: string): string {
  return `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${type}`;
}
