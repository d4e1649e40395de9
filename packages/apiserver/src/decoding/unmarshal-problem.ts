import { jsonTypeOf } from '@kubeadmit/go/internal';

/** What Go's `encoding/json` says of a value that is not of a type. */
export function unmarshalProblem(value: unknown, type: string): string {
  return `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${type}`;
}
