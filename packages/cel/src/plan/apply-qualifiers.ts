import { isList } from '../values/kind.ts';
import { type CelError, Optional, type Value } from '../values/value.ts';
import { type Evaluate, type Frame, isError } from './frame.ts';
import { find, isPresent, qualify } from './qualify.ts';

/** Reads the fields of one object type, for expressions with a known operand type. */
export interface FieldReader {
  /** The field's value; a {@link CelError} if there is none. */
  get(value: Value, field: string): Value;
  /** Whether the field is set; a {@link CelError} if that is undecidable. */
  has(value: Value, field: string): boolean | CelError;
}

/** One selection or index. */
export interface Qualifier {
  /** The key where it is known, and else how to get it. */
  readonly key: { readonly constant: Value } | { readonly evaluate: Evaluate };
  /** Plans the key after a root variable that a local variable hides. */
  readonly keyAtRoot?: () => Qualifier['key'];
  /** Written with `?`. */
  readonly optional: boolean;
  /** Only asks whether it is there: the last one of `has()`. */
  readonly test: boolean;
  /** Reads the field instead of the value itself (cel-go's `fieldQualifier`). */
  readonly fields?: FieldReader | undefined;
  /** Costs nothing: cel-go does not count qualifiers after a root variable that a local variable hides. */
  readonly isFree?: boolean;
}

/** Goes through the qualifiers, each of which costs 1 when it is tried (or found, if optional). */
export function applyQualifiers(
  frame: Frame,
  start: Value,
  qualifiers: readonly Qualifier[],
): Value {
  let value = start;
  let optional = false;
  if (value instanceof Optional) {
    if (value.value === undefined) return value;
    value = value.value;
    optional = true;
  }
  for (let index = 0; index < qualifiers.length; index++) {
    const qualifier = qualifiers[index] as Qualifier;
    if (isError(value)) return value;
    optional ||= qualifier.optional;
    const key =
      'constant' in qualifier.key ? qualifier.key.constant : qualifier.key.evaluate(frame);
    if (optional) {
      const found = isError(key) ? key : find(value, key);
      if (found === undefined) return Optional.none;
      if (isError(found) && !isElement(found, value)) return found;
      if (!qualifier.isFree) frame.charge(1);
      value = found;
      continue;
    }
    const next = isError(key) ? key : read(value, key, qualifier);
    if (!qualifier.isFree) frame.charge(1);
    if (isError(next)) return next;
    value = next;
  }
  return optional ? new Optional(value) : value;
}

function read(value: Value, key: Value, { test, fields }: Qualifier): Value {
  const field = key as string;
  if (fields !== undefined) return test ? fields.has(value, field) : fields.get(value, field);
  return test ? isPresent(value, field) : qualify(value, key);
}

/** Whether an error is an element that was found; the optional then contains it. */
function isElement(error: CelError, value: Value): boolean {
  return isList(value) && value.includes(error);
}
