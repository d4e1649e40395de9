import { setKey } from '@kubeadmit/base';
import { Double, Duration, Timestamp, Uint, type Value } from '@kubeadmit/cel';
import { formatCelValue, isList, isPlainObject, makeDouble, makeInt } from '@kubeadmit/cel/values';
import {
  decodeBase64,
  type NumberProblem,
  parseDuration,
  parseFloat64,
  parseInt64,
  parseRfc3339,
  parseUint64,
  quote,
} from '@kubeadmit/go';

/** A problem of a variable or a declaration. */
export class InputError extends Error {}

/**
 * Reads a variable: `{"$double": …}` and the like are values that JSON has no form for; a
 * number with a whole value is an int. Throws {@link InputError}.
 */
export function readVariable(name: string, value: Value): Value {
  if (value instanceof Double) return Number.isSafeInteger(value.value) ? value.value + 0 : value;
  if (isList(value)) {
    return unlessSame(
      value,
      value.map((element) => readVariable(name, element)),
    );
  }
  if (!isPlainObject(value)) return value;
  const keys = Object.keys(value);
  const [key] = keys;
  if (keys.length === 1 && key !== undefined && specialForms.has(key)) {
    const special = specialForms.get(key)?.(textOf(value[key] ?? null));
    if (special === undefined || typeof special === 'string') {
      throw new InputError(`variable ${name}: ${special}`);
    }
    return special.value;
  }
  // Keep JSON unchanged.
  const fields = Object.values(value);
  const read = unlessSame(
    fields,
    fields.map((field) => readVariable(name, field)),
  );
  if (read === fields) return value;
  const object: Record<string, Value> = {};
  for (const [index, field] of keys.entries()) setKey(object, field, read[index] ?? null);
  return object;
}

/** The list itself if reading it changed no element. */
function unlessSame(list: readonly Value[], read: readonly Value[]): readonly Value[] {
  return read.every((value, index) => value === list[index]) ? list : read;
}

function textOf(value: Value): string {
  return value === null ? '<nil>' : formatCelValue(value);
}

/** A value, or the error. */
type Read = { readonly value: Value } | string;

const specialForms: ReadonlyMap<string, (text: string) => Read> = new Map([
  ['$double', readDouble],
  ['$int', (text) => number('ParseInt', text, parseInt64(text), makeInt)],
  ['$uint', (text) => number('ParseUint', text, parseUint64(text), (value) => new Uint(value))],
  ['$bytes', readBytes],
  ['$timestamp', readTimestamp],
  ['$duration', readDuration],
]);

function number(
  reader: string,
  text: string,
  parsed: bigint | NumberProblem,
  make: (value: bigint) => Value,
): Read {
  return typeof parsed === 'bigint'
    ? { value: make(parsed) }
    : `strconv.${reader}: parsing ${quote(text)}: ${parsed}`;
}

function readDouble(text: string): Read {
  const value = parseFloat64(text);
  return typeof value === 'number'
    ? { value: makeDouble(value) }
    : `strconv.ParseFloat: parsing ${quote(text)}: ${value}`;
}

function readBytes(text: string): Read {
  const bytes = decodeBase64(text);
  return 'error' in bytes ? bytes.error : { value: bytes };
}

function readTimestamp(text: string): Read {
  const instant = parseRfc3339(text);
  return instant === undefined
    ? `${quote(text)} is not a timestamp`
    : { value: new Timestamp(instant.seconds, instant.nanoseconds, instant.offset) };
}

function readDuration(text: string): Read {
  const nanoseconds = parseDuration(text);
  return typeof nanoseconds === 'bigint' ? { value: new Duration(nanoseconds) } : nanoseconds.error;
}
