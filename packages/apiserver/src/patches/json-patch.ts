import { isPlainObject } from '@kubeadmit/base';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { type JsonScan, scanJson } from '@kubeadmit/go/unstable-internal';
import { duplicateText } from '../decoding/read-body.ts';
import { unmarshalProblem } from '../decoding/unmarshal-problem.ts';
import { badRequest, entityTooLarge } from '../errors/failures.ts';

const mostOperations = 10_000;

/** Scans a JSON patch; throws the 400 of an invalid text. */
export function scanPatch(text: string): Exclude<JsonScan, { readonly error: string }> {
  const read = scanJson(text, { numbers: kubernetesNumbers });
  if ('error' in read) throw badRequest('invalid JSON patch');
  return read;
}

/** The operations of a JSON patch, possibly invalid, and the findings of strict decoding. */
export function readOperations(text: string): {
  readonly operations: readonly unknown[];
  readonly findings: readonly string[];
} {
  const { value, duplicates } = scanPatch(text);
  const operations = value === null ? [] : value;
  if (!Array.isArray(operations)) {
    const why = unmarshalProblem(operations, '[]handlers.jsonPatchOp');
    throw badRequest(`error decoding patch: ${why}`);
  }
  const odd = operations.find((each) => each !== null && !isPlainObject(each)) as unknown;
  if (odd !== undefined) {
    const why = unmarshalProblem(odd, 'handlers.jsonPatchOp');
    throw badRequest(`error decoding patch: ${why}`);
  }
  if (operations.length > mostOperations) {
    throw entityTooLarge(
      `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`,
    );
  }
  const doubled = duplicates.map((path) => `json patch ${duplicateText(path)}`);
  return { operations, findings: [...doubled, ...unknownMembers(operations)] };
}

const operationMembers: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

function unknownMembers(operations: readonly unknown[]): readonly string[] {
  return operations.flatMap((operation, i) =>
    Object.keys(isPlainObject(operation) ? operation : {})
      .filter((name) => !operationMembers.has(name))
      .map((name) => `json patch unknown field "[${i}].${name}"`),
  );
}
