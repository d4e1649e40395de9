import {
  CelError,
  Double,
  Duration,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '@kubeadmit/cel';
import { isSum } from '@kubeadmit/cel/unstable-internal';
import {
  CelMap,
  formatCelValue,
  isList,
  isPlainObject,
  mapGet,
  mapKeys,
  OpaqueValue,
  typeOf,
} from '@kubeadmit/cel/values';
import { JsonPatchValue, ObjectValue } from '@kubeadmit/engine/environment';
import { encodeBase64 } from '@kubeadmit/go';
import { nilList } from '@kubeadmit/schemas/unstable-internal';
import { convertObject, opaqueValue, typeMismatches } from '../apply/configuration.ts';
import { type DataForms, noForms } from '../apply/data-forms.ts';
import { GoValue, type PatchValue } from '../apply/patch-value.ts';
import type { Json, PatchOperation, UnreadableText } from './operation.ts';

const marshalFailure =
  'JSONPath valueExpression evaluated to a type that could not marshal to JSON';

class ConversionError extends Error {}

/** How kube-apiserver represents the lists and maps of the data, for values of JSON patches. */
export interface PatchedData extends DataForms {
  /** Why a list or map of an object cannot be written; `undefined` when it can. */
  problem(container: object): string | undefined;
}

const noData: PatchedData = { ...noForms, problem: () => undefined };

/**
 * The operations in the value of a JSONPatch expression, or why they cannot be had, with
 * kube-apiserver's texts (apiserver policy/mutating/patch/json_patch.go).
 */
export function operationsOf(value: Value, data: PatchedData = noData): PatchOperation[] | string {
  if (!isList(value)) return 'type mismatch: JSONPatchType.expression should evaluate to array';
  const operations: PatchOperation[] = [];
  for (const element of value) {
    if (!(element instanceof JsonPatchValue)) {
      return 'type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch';
    }
    const operation = operationOf(element, data);
    if (typeof operation === 'string') return operation;
    operations.push(operation);
  }
  return operations;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function operationOf(
  { op, path, from, value }: JsonPatchValue,
  data: PatchedData,
): PatchOperation | string {
  const operation: Writable<PatchOperation> = {
    op: readable(op) === op ? op : undefined,
    path: readable(path),
  };
  if (from !== '') operation.from = readable(from);
  if (value === undefined) return operation;
  const mismatches = value instanceof ObjectValue ? typeMismatches(value) : undefined;
  if (mismatches !== undefined) return mismatches;
  try {
    operation.value = jsonOf(value, data);
    return operation;
  } catch (error) {
    if (error instanceof ConversionError) return `${marshalFailure}: ${error.message}`;
    throw error;
  }
}

const plainText = /^[ -~]*$/;

// Go's quoting produces invalid JSON for some control characters.
function readable(text: string): string | UnreadableText {
  if (plainText.test(text)) return text;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\u0007') return { unreadable: 'a' };
    if (character === '\v') return { unreadable: 'v' };
    const isControl = (code < 0x20 && !/[\b\f\n\r\t]/.test(character)) || code === 0x7f;
    if (isControl) return { unreadable: 'x' };
    if (code > 0xffff && !/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character))
      return { unreadable: 'U' };
  }
  return text;
}

// A value as JSON by way of a protobuf Value.
function jsonOf(value: Value, data: PatchedData): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return numberJson(value);
  // Integers that a double cannot hold become texts.
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Double) return numberJson(value.value);
  if (value instanceof Uint) {
    return value.value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value.value)
      : String(value.value);
  }
  if (isList(value) || isPlainObject(value)) {
    const problem = data.problem(value);
    if (problem !== undefined) throw new ConversionError(problem);
  }
  if (isList(value)) {
    const convert = isSum(value) ? nativeJson : jsonOf;
    return value.map((element) => convert(element, data));
  }
  if (value instanceof ObjectValue) return structOf(convertObject(value, data));
  if (value instanceof CelMap || isPlainObject(value)) return mapJson(value, data);
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof Timestamp || value instanceof Duration) return textOf(value);
  if (value instanceof Optional) {
    if (value.value === undefined) throw new ConversionError('optional.none() dereference');
    return jsonOf(value.value, data);
  }
  if (value instanceof JsonPatchValue) {
    throw new ConversionError('cannot convert to native type: *structpb.Value');
  }
  if (value instanceof CelError) throw new ConversionError(value.message);
  if (value instanceof TypeValue) {
    throw new ConversionError("type conversion not supported for 'type'");
  }
  // The values of the authorizer alone are named by their types.
  const source =
    value instanceof OpaqueValue && !value.goType.startsWith('library.')
      ? value.goType.replace(/^.*\./, '')
      : typeOf(value);
  throw new ConversionError(`type conversion error from '${source}' to '*structpb.Value'`);
}

// The elements of a sum of lists are Go's own values on the way, some of which are not taken back.
function nativeJson(value: Value, data: PatchedData): Json {
  if (value instanceof TypeValue) return value.toString();
  if (value instanceof Optional) {
    return value.value === undefined ? null : nativeJson(value.value, data);
  }
  if (value instanceof OpaqueValue) {
    const { goType, plain } = opaqueValue(value);
    throw new ConversionError(`unsupported conversion to ref.Val: (${goType})${plain}`);
  }
  const goType = isList(value) || isPlainObject(value) ? data.goType?.(value) : undefined;
  if (goType !== undefined) return nativeData(value as Container, goType, data);
  if (value instanceof ObjectValue) {
    return Object.fromEntries(
      [...value.fields].map(([name, field]) => [name, nativeField(field, data)]),
    );
  }
  return jsonOf(value, data);
}

type Container = readonly Value[] | Readonly<Record<string, Value>>;

function nativeData(value: Container, goType: string, data: PatchedData): Json {
  if (isList(value)) return value.map((element) => nativeJson(element, data));
  if (data.isStruct?.(value) !== true) return mapJson(value, data, nativeJson);
  const plain = data.plain?.(value) ?? '{…}';
  throw new ConversionError(`unsupported conversion to ref.Val: (${goType})${plain}`);
}

function nativeField(value: Value, data: PatchedData): Json {
  if (isList(value)) return value.map((element) => nativeJson(element, data));
  if (value instanceof CelMap) return mapJson(value, data, nativeJson);
  return nativeJson(value, data);
}

function keyProblem(key: Value): string {
  if (typeof key === 'boolean') return "type conversion error from bool to 'string'";
  return `unsupported type conversion from '${typeOf(key)}' to string`;
}

function numberJson(value: number): Json {
  if (Number.isFinite(value)) return value;
  const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new ConversionError(
    `json: error calling MarshalJSON for type *structpb.Value: proto:\u00a0google.protobuf.Value.number_value: invalid ${text} value`,
  );
}

function mapJson(
  map: Parameters<typeof mapKeys>[0],
  data: PatchedData,
  convert: typeof jsonOf = jsonOf,
): Json {
  const members = mapKeys(map).map((key): [string, Json] => {
    if (typeof key !== 'string') throw new ConversionError(keyProblem(key));
    return [key, convert(mapGet(map, key) as Value, data)];
  });
  return Object.fromEntries(members);
}

function textOf(value: Timestamp | Duration): string {
  return formatCelValue(value).replace(/^(?:timestamp|duration)\("(.*)"\)$/, '$1');
}

// A converted object as a protobuf Struct: all numbers are doubles, and nothing but JSON is allowed.
function structOf(value: PatchValue): Json {
  if (value instanceof GoValue) {
    if (value.goType === 'uint64') return Number(value.plain);
    if (value.bytes !== undefined) return encodeBase64(value.bytes);
    throw new ConversionError(`proto:\u00a0invalid type: ${value.goType}`);
  }
  if (typeof value === 'bigint') return BigInt(Number(value));
  if (value instanceof Double) return value.value;
  if (value === nilList) return [];
  if (isArray(value)) return value.map(structOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, structOf(member)]));
}

function isArray(value: PatchValue): value is readonly PatchValue[] {
  return Array.isArray(value);
}
