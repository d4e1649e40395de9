import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { memoize } from '@kubeadmit/base';
import { formatJson, jsonTypeOf, readJson, readYaml, sortMembers } from '@kubeadmit/go';
import type { Json, PatchOperation } from '@kubeadmit/mutator';
import { missing, PatchError } from '@kubeadmit/mutator/json-patch';
import { Failure } from '../jmespath/steps/failure.ts';
import { KyvernoDocument } from './patched-document.ts';

/**
 * Returns an object, or null, with the JSON patch of a policy applied, or a `Failure`.
 *
 * As in Kyverno, the patch is YAML unless it begins with `[`; negative indices count from the end, `remove` ignores a
 * missing path, and `add` creates missing parents.
 */
export function applyJsonPatch(object: JsonObject | null, patch: string): unknown {
  const operations = readPatch(patch);
  if (operations instanceof Failure) return operations;
  try {
    const document = new KyvernoDocument(object as Json);
    for (const operation of operations) document.apply(operation);
    return document.result(operations.length === 0);
  } catch (problem) {
    if (problem instanceof PatchError) return new Failure(problem.message);
    throw problem;
  }
}

/**
 * An object with a JSON patch in which every value stands for another one that is not written as Go writes it, such as
 * `">"` and `1.0`; undefined where there are none. Kyverno compares texts, and evanphx/json-patch keeps that of a value.
 */
export function applyAsWritten(object: JsonObject | null, patch: string): unknown {
  if (!patch.startsWith('[')) return undefined;
  const operations = readPatch(patch);
  if (operations instanceof Failure) return undefined;
  const marked = patch.replace(scalar, (text) =>
    /^-?[1-9]\d{0,18}$/.test(text) || text === formatJson(JSON.parse(text))
      ? text
      : JSON.stringify(`${text} (literal)`),
  );
  if (marked === patch) return undefined;
  const others = readPatch(marked);
  if (others instanceof Failure) return undefined;
  const document = new KyvernoDocument(object as Json);
  for (const [at, operation] of operations.entries()) {
    const value = others[at]?.value ?? null;
    document.apply(operation.op === 'test' ? operation : { ...operation, value });
  }
  return document.result(operations.length === 0);
}

/** A string or a number of a JSON text. */
const scalar = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The operations of a patch; reading YAML takes longer than all else, so they are remembered. */
const readPatch = memoize(readNewPatch, 16_384, 1000);

function readNewPatch(patch: string): readonly PatchOperation[] | Failure {
  const isJson = patch.startsWith('[');
  const reading = isJson ? readJson(patch) : readYaml(patch);
  if ('error' in reading) {
    return new Failure(
      isJson
        ? 'failed to decode patches: invalid state detected'
        : `failed to convert patchesJSON6902 to JSON: ${reading.error}`,
    );
  }
  // JSON is written with sorted keys, and an object whose keys are unsorted counts as changed.
  const operations = decodePatch(isJson ? reading.value : sortMembers(reading.value));
  return operations instanceof Failure
    ? new Failure(`failed to decode patches: ${operations.message}`)
    : operations;
}

/** Decodes the operations of a JSON patch, or returns a `Failure`. */
export function decodePatch(value: unknown): readonly PatchOperation[] | Failure {
  if (value === null) return [];
  const wrongType = (found: unknown, type: string): Failure =>
    new Failure(`json: cannot unmarshal ${jsonTypeOf(found)} into Go value of type ${type}`);
  if (!Array.isArray(value)) return wrongType(value, 'jsonpatch.Patch');
  const wrong = value.find((item) => !isObject(item) && item !== null);
  if (wrong !== undefined) return wrongType(wrong, 'jsonpatch.Operation');
  const operations = value.map(objectOf);
  for (const operation of operations) {
    const problem = operationProblem(operation);
    if (problem !== undefined) {
      const text = formatJson(operation, { isSorted: true });
      return new Failure(`invalid operation ${text}: ${problem}`);
    }
  }
  return operations as unknown as readonly PatchOperation[];
}

const operationNames: readonly unknown[] = ['add', 'copy', 'move', 'remove', 'replace', 'test'];

function operationProblem(operation: JsonObject): string | undefined {
  const { op, path, from } = operation;
  if (!operationNames.includes(op)) return 'unsupported operation';
  if ((op === 'add' || op === 'replace') && !Object.hasOwn(operation, 'value')) {
    return `failed to decode 'value': operation, missing value field: ${missing}`;
  }
  if ((op === 'move' || op === 'copy') && typeof from !== 'string') {
    return `failed to decode 'from': operation, missing from field: ${missing}`;
  }
  if (typeof path === 'string') return undefined;
  return `failed to decode 'path': operation missing path field: ${missing}`;
}
