import type { FieldError } from '@kubeadmit/apimachinery';
import type { FieldErrorType } from '@kubeadmit/apimachinery/field-errors';
import { quote } from '@kubeadmit/go';
import { shownValue } from '../values/go-value-text.ts';

/** One field error of a custom resource or of its definition. */
export interface Finding {
  readonly type: FieldErrorType;
  /** The path of the field; empty for the object itself, which Go prints as `<nil>`. */
  readonly path: string;
  /** The text without the path. */
  readonly body: string;
  /** Whether rules are not run on an object with it (apiextensions, `hasBlockingErr`). */
  readonly blocks: boolean;
}

/** The complete text of a finding. */
export function findingText({ path, body }: Finding): string {
  return `${path === '' ? '<nil>' : path}: ${body}`;
}

/** The path of a property. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The path of an item or a map entry. */
export function keyPath(path: string, key: string | number): string {
  return `${path}[${key}]`;
}

function finding(type: FieldErrorType, path: string, parts: readonly string[]): Finding {
  const body = parts.filter((part) => part !== '').join(': ');
  return { type, path, body, blocks: blocking.has(type) };
}

/** A value that breaks a rule. */
export function invalid(path: string, value: unknown, detail: string): Finding {
  return finding('FieldValueInvalid', path, ['Invalid value', shownValue(value), detail]);
}

/** Creates an error that shows a given text as the value, such as a schema in Go's field names. */
export function invalidShown(path: string, shown: string, detail: string): Finding {
  return finding('FieldValueInvalid', path, ['Invalid value', shown, detail]);
}

/** A value of the wrong type. */
export function typeInvalid(path: string, value: unknown, detail: string): Finding {
  return finding('FieldValueTypeInvalid', path, ['Invalid value', shownValue(value), detail]);
}

/** An object or list that breaks a rule, and is not shown. */
export function invalidUnshown(path: string, detail: string): Finding {
  return finding('FieldValueInvalid', path, ['Invalid value', detail]);
}

/** A field that has to be there. */
export function required(path: string, detail = ''): Finding {
  return finding('FieldValueRequired', path, ['Required value', detail]);
}

/** A field that must not be there. */
export function forbidden(path: string, detail: string): Finding {
  return finding('FieldValueForbidden', path, ['Forbidden', detail]);
}

/** A value that occurs twice. */
export function duplicate(path: string, value: unknown): Finding {
  return finding('FieldValueDuplicate', path, ['Duplicate value', shownValue(value)]);
}

/** A value that occurs twice, and is not shown. */
export function duplicateUnshown(path: string): Finding {
  return finding('FieldValueDuplicate', path, ['Duplicate value']);
}

/** Creates the error for a value that is not among the allowed ones. */
export function notSupported(path: string, value: unknown, allowed: readonly string[]): Finding {
  const listed = allowed.map(quote).join(', ');
  const detail = allowed.length === 0 ? '' : `supported values: ${listed}`;
  return finding('FieldValueNotSupported', path, ['Unsupported value', shownValue(value), detail]);
}

export function tooLong(path: string, limit: number): Finding {
  const most = `may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`;
  return finding('FieldValueTooLong', path, ['Too long', limit < 0 ? 'value is too long' : most]);
}

/** A list or map with too many entries. */
export function tooMany(path: string, actual: number, limit: number): Finding {
  const most = `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`;
  return finding('FieldValueTooMany', path, [
    'Too many',
    String(actual),
    limit < 0 ? 'has too many items' : most,
  ]);
}

/** Something that failed inside. */
export function internalError(path: string, detail: string): Finding {
  return finding('InternalError', path, ['Internal error', detail]);
}

const blocking: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'FieldValueTypeInvalid',
  'FieldValueRequired',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
]);

/** A finding of the validation of metadata, which every kind has. */
export function fromFieldError({ type, field, body }: FieldError): Finding {
  return { type, path: field, body, blocks: blocking.has(type) };
}

/** Converts a finding to the form of a Status's causes. */
export function toFieldError({ type, path, body }: Finding): FieldError {
  return { type, field: path === '' ? '<nil>' : path, body };
}
