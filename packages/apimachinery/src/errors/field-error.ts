import { formatJson, quote } from '@kubeadmit/go';

/** The kinds of field errors, named as in the causes of a Status (apimachinery `field.ErrorType`). */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError';

/** One finding of the validation of an object, as `details.causes` have it (apimachinery `field.Error`). */
export interface FieldError {
  /** Which sort of error it is, such as `FieldValueInvalid`. */
  readonly type: FieldErrorType;
  /** The path of the field: `spec.validations[0].message`. */
  readonly field: string;
  /** The text without the path: `Invalid value: "x": must not contain line breaks`. */
  readonly body: string;
  /** A generated rule reports the same, so that this finding is dropped at the end. */
  readonly coveredByDeclarative?: boolean;
}

const typeTexts: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
};

/**
 * Formats a field error with its path (apimachinery `field.Error.Error`).
 */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${error.body}`;
}

/** Creates the error for a missing required field. */
export function required(field: string, detail: string = ''): FieldError {
  return plain('FieldValueRequired', field, detail);
}

/** A field that must not be there is. */
export function forbidden(field: string, detail: string): FieldError {
  return plain('FieldValueForbidden', field, detail);
}

/** A text that is longer than so many bytes. */
export function tooLong(field: string, limit: number): FieldError {
  return plain('FieldValueTooLong', field, `may not be more than ${limit} bytes`);
}

/** Something failed that is not the user's fault. */
export function internalError(field: string, detail: string): FieldError {
  return plain('InternalError', field, detail);
}

/** A value that breaks a rule. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return withValue('FieldValueInvalid', field, value, detail);
}

/** The name of something that is not there. */
export function missing(field: string, value: unknown): FieldError {
  return withValue('FieldValueNotFound', field, value, '');
}

/** A value that occurs twice where it may not. */
export function duplicate(field: string, value: unknown): FieldError {
  return withValue('FieldValueDuplicate', field, value, '');
}

/** Creates the error for a value that is not among the allowed ones, which are listed in the given order. */
export function notSupported(
  field: string,
  value: unknown,
  allowed: readonly string[],
): FieldError {
  const detail = `supported values: ${allowed.map(quote).join(', ')}`;
  return withValue('FieldValueNotSupported', field, value, detail);
}

/** A list with more items than allowed. */
export function tooMany(field: string, actual: number, limit: number): FieldError {
  return withValue('FieldValueTooMany', field, actual, `must have at most ${limit} items`);
}

function plain(type: FieldErrorType, field: string, detail: string): FieldError {
  return { type, field, body: detail === '' ? typeTexts[type] : `${typeTexts[type]}: ${detail}` };
}

function withValue(
  type: FieldErrorType,
  field: string,
  value: unknown,
  detail: string,
): FieldError {
  const shown = typeof value === 'string' ? quote(value) : formatJson(value);
  const body = `${typeTexts[type]}: ${shown}`;
  return { type, field, body: detail === '' ? body : `${body}: ${detail}` };
}
