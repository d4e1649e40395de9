import { setKey } from '@kubeadmit/base';
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
import { formatGoValue, goTypeName, isLiteral, isSum } from '@kubeadmit/cel/unstable-internal';
import { CelMap, isList, isPlainObject, mapGet, mapKeys, OpaqueValue } from '@kubeadmit/cel/values';
import { JsonPatchValue, ObjectValue } from '@kubeadmit/engine/environment';
import { keyProblem, opaqueType, typeText } from '@kubeadmit/engine/unstable-internal';
import { compareText, quote } from '@kubeadmit/go';
import { nilList } from '@kubeadmit/schemas/unstable-internal';
import { type DataForms, noForms } from './data-forms.ts';
import { referenceSyntax, referenceText, semverSyntax, timestampSyntax } from './go-reference.ts';
import { GoValue, type PatchObject, type PatchValue } from './patch-value.ts';

/**
 * Returns the apply configuration in the value of an expression, or kube-apiserver's message if it is invalid
 * (apiserver policy/mutating/patch/smd.go and cel/mutation/dynamic).
 */
export function configurationOf(value: Value, forms: DataForms = noForms): PatchObject | string {
  if (!(value instanceof ObjectValue)) {
    const type = value === null ? 'null_type' : goTypeName(value);
    return `unsupported return type from ApplyConfiguration expression: ${type}`;
  }
  const mismatches = typeMismatches(value);
  if (mismatches !== undefined) return mismatches;
  const converted = convertObject(value, forms);
  return converted instanceof GoValue ? 'invalid return type: *dynamic.ObjectVal' : converted;
}

/**
 * Returns the error about types in a value whose names do not match their positions; `undefined` if all match.
 *
 * A value under the field `f` of a `T` is a `T.f`; lists and maps between count for nothing.
 */
export function typeMismatches(value: ObjectValue): string | undefined {
  if (isNamedByPlace(value, value.typeName)) return undefined;
  const mismatches: string[] = [];
  visitTypes(value, value.typeName, mismatches);
  return mismatches.length === 0 ? undefined : `type mismatch: ${mismatches.join('\n')}`;
}

// Whether the type is named `parent.field`, without building that string.
function isNamedByPlace(value: Value, parent: string, field?: string): boolean {
  if (value instanceof ObjectValue) {
    const { typeName } = value;
    if (field !== undefined && !isMemberName(typeName, parent, field)) return false;
    for (const [name, member] of value.fields) {
      if (!isNamedByPlace(member, typeName, name)) return false;
    }
    return true;
  }
  for (const member of membersOf(value)) if (!isNamedByPlace(member, parent, field)) return false;
  return true;
}

function isMemberName(name: string, parent: string, field: string): boolean {
  return (
    name.length === parent.length + 1 + field.length &&
    name[parent.length] === '.' &&
    name.startsWith(parent) &&
    name.endsWith(field)
  );
}

function visitTypes(value: Value, expected: string, mismatches: string[]): void {
  if (value instanceof ObjectValue) {
    if (value.typeName !== expected) {
      const names = `${quote(value.typeName)}, expected ${quote(expected)}`;
      mismatches.push(
        `unexpected type name ${names}, which matches field name path from root Object type`,
      );
    }
    for (const [name, field] of sortedFields(value)) {
      visitTypes(field, `${expected}.${name}`, mismatches);
    }
  } else {
    for (const member of membersOf(value)) visitTypes(member, expected, mismatches);
  }
}

// Sums of lists are not looked into.
function membersOf(value: Value): readonly Value[] {
  if (isList(value)) return isSum(value) ? [] : value;
  return value instanceof CelMap ? value.values : [];
}

function sortedFields({ fields }: ObjectValue): (readonly [string, Value])[] {
  return [...fields].sort(([a], [b]) => compareText(a, b));
}

/** Converts an object. Returns a {@link GoValue} if a map in it has a key that is not a string. */
export function convertObject(
  value: ObjectValue,
  forms: DataForms = noForms,
): PatchObject | GoValue {
  const members: Record<string, PatchValue> = {};
  for (const [name, field] of value.fields) {
    const converted = convertField(field, forms);
    if (converted instanceof Problem) return firstProblem(value, forms);
    setKey(members, name, converted);
  }
  return members;
}

// Report the problem whose field comes first by name.
function firstProblem(value: ObjectValue, forms: DataForms): GoValue {
  for (const [name, field] of sortedFields(value)) {
    const converted = convertField(field, forms);
    if (!(converted instanceof Problem)) continue;
    const text = `fail to convert field ${quote(name)}: ${converted.problem}`;
    return new GoValue('*types.Err', text, text);
  }
  throw new Error('no field has a problem');
}

// INVARIANT: a member of an object is never mistaken for a problem, because problems are instances of a class.
class Problem {
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}

type Converted = PatchValue | Problem;

function convertField(value: Value, forms: DataForms): Converted {
  if (isList(value)) return value.length === 0 ? nilList : convertList(value, forms);
  if (value instanceof CelMap || isPlainObject(value)) {
    const isBuilt = value instanceof CelMap;
    const members: Record<string, PatchValue> = {};
    for (const key of mapKeys(value)) {
      if (typeof key !== 'string') return new Problem(keyProblem(key));
      const member = mapGet(value, key) as Value;
      const converted = isBuilt ? convertElement(member, forms) : convertField(member, forms);
      if (converted instanceof Problem) return converted;
      setKey(members, key, converted);
    }
    return members;
  }
  return convertPlain(value, forms);
}

function convertList(list: readonly Value[], forms: DataForms): Converted {
  const isDeep = list.some(isContainer) && !list.some(isMade) && forms.isData(list);
  if (!isDeep && !isSum(list)) return list.map((element) => convertElement(element, forms));
  const elements: PatchValue[] = [];
  for (const element of list) {
    const converted = convertField(element, forms);
    if (converted instanceof Problem) return converted;
    elements.push(converted);
  }
  return elements;
}

function isContainer(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

// Data holds nothing that only expressions make.
function isMade(value: Value): boolean {
  return value instanceof ObjectValue || value instanceof CelMap;
}

// Lists and maps inside a list or map that an expression built have no form that a field accepts. Data of objects
// and sums of lists have no such limit.
function convertElement(value: Value, forms: DataForms): PatchValue {
  if (value instanceof CelMap) return goContainer('map[ref.Val]ref.Val', value, forms);
  if (!isList(value) && !isPlainObject(value)) return convertPlain(value, forms);
  const goType = forms.goType?.(value);
  if (goType !== undefined) return goContainer(goType, value, forms);
  if (!isList(value) || forms.isData(value)) return dataOf(value);
  if (isSum(value)) return value.map((element) => convertElement(element, forms));
  return goContainer('[]ref.Val', value, forms);
}

type Container = readonly Value[] | Parameters<typeof mapKeys>[0];

// A list, map or struct of Go. Of structs the texts show the members that are there; Go's show all.
function goContainer(goType: string, value: Container, forms: DataForms): GoValue {
  const printed = (print: typeof referenceText): string[] =>
    isList(value)
      ? value.map((element) => print(element, forms))
      : mapKeys(value)
          .map((key) => `${print(key, forms)}:${print(mapGet(value, key) as Value, forms)}`)
          .sort(compareText);
  const known = forms.plain?.(value);
  const plain = printed(referenceText).join(' ');
  const isMap = goType.startsWith('map[');
  // Functions and loops begin with no list at all.
  const isNil = isList(value) && value.length === 0 && !isLiteral(value);
  return new GoValue(
    goType,
    known ?? (isList(value) ? `[${plain}]` : isMap ? `map[${plain}]` : `{${plain}}`),
    forms.syntax?.(value) ??
      (isNil ? `${goType}(nil)` : `${goType}{${printed(referenceSyntax).join(', ')}}`),
  );
}

// Within the data that an element is, null is that of JSON.
function dataOf(value: Value): PatchValue {
  if (value === null) return null;
  if (isList(value)) return value.map(dataOf);
  if (!isPlainObject(value)) return convertPlain(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, dataOf(member)]));
}

const goNull = new GoValue('structpb.NullValue', 'NULL_VALUE', '0');

function convertPlain(value: Value, forms: DataForms = noForms): PatchValue {
  if (value === null) return goNull;
  if (value instanceof ObjectValue) return convertObject(value, forms);
  if (value instanceof Optional) {
    return value.value === undefined ? null : convertElement(value.value, forms);
  }
  if (value instanceof Double) return value;
  if (value instanceof Uint) {
    return new GoValue('uint64', String(value.value), `0x${value.value.toString(16)}`);
  }
  if (value instanceof Uint8Array) {
    const bytes = [...value];
    const hex = bytes.map((byte) => `0x${byte.toString(16)}`).join(', ');
    return new GoValue('[]uint8', `[${bytes.join(' ')}]`, `[]uint8{${hex}}`, value);
  }
  if (value instanceof Timestamp)
    return new GoValue('time.Time', formatGoValue(value), timestampSyntax(value));
  if (value instanceof Duration) {
    return new GoValue('time.Duration', formatGoValue(value), String(value.nanoseconds));
  }
  if (value instanceof TypeValue) return typeText(value);
  if (value instanceof OpaqueValue) return opaqueValue(value);
  if (value instanceof CelError) return new GoValue('*types.Err', value.message, value.message);
  if (value instanceof JsonPatchValue) return new GoValue('*mutation.JSONPatchVal', '', '');
  if (typeof value === 'object') return new GoValue('*dynamic.ObjectVal', '', '');
  return value;
}

/** The Go value that a value of the Kubernetes libraries wraps; those of the authorizer have none. */
export function opaqueValue(value: OpaqueValue): GoValue {
  const type = opaqueType(value);
  if (type === undefined) return new GoValue('*types.Err', 'no such overload', 'no such overload');
  const text = formatGoValue(value);
  return new GoValue(type, text, type === 'semver.Version' ? semverSyntax(text) : text);
}
