import type { FieldError, KubernetesObject } from '@kubeadmit/apimachinery';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '@kubeadmit/apimachinery/field-errors';
import { byteLength, formatJson } from '@kubeadmit/go';
import { invalidObject } from '../errors/failures.ts';
import { booleanOf } from './query-values.ts';

/** How unknown and duplicate fields are treated. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of a write (meta/v1 CreateOptions, UpdateOptions, PatchOptions). */
export interface WriteOptions {
  readonly kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';
  readonly isDryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
  /** The options as admission sees them. */
  readonly object: KubernetesObject;
}

const group = 'meta.k8s.io';

/** Reads the options of a write from its query, or throws their errors (meta/v1/validation). */
export function readWriteOptions(
  query: URLSearchParams,
  kind: WriteOptions['kind'],
  patchType?: string,
): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = kind === 'PatchOptions' ? booleanOf(query, 'force') : undefined;
  const errors: FieldError[] = [];
  const isApply =
    patchType === 'application/apply-patch+yaml' || patchType === 'application/apply-patch+cbor';
  if (kind === 'PatchOptions') {
    if (isApply && fieldManager === '') {
      errors.push(required('fieldManager', 'is required for apply patch'));
    }
    if (!isApply && force !== undefined) {
      errors.push(forbidden('force', 'may not be specified for non-apply patch'));
    }
  }
  errors.push(...managerErrors(fieldManager), ...dryRunErrors(dryRun));
  if (fieldValidation !== '' && !isFieldValidation(fieldValidation)) {
    const allowed = ['', 'Ignore', 'Strict', 'Warn'];
    errors.push(notSupported('fieldValidation', fieldValidation, allowed));
  }
  if (errors.length > 0) throw invalidObject({ group, name: kind }, '', errors);
  return {
    kind,
    isDryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation : 'Warn',
    force,
    object: {
      kind,
      apiVersion: `${group}/v1`,
      ...(dryRun.length > 0 ? { dryRun } : {}),
      ...(force === undefined ? {} : { force }),
      ...(fieldManager === '' ? {} : { fieldManager }),
      ...(fieldValidation === '' ? {} : { fieldValidation }),
    },
  };
}

function isFieldValidation(text: string): text is FieldValidation {
  return text === 'Ignore' || text === 'Warn' || text === 'Strict';
}

/** Validates values of `dryRun` (meta/v1/validation.ValidateDryRun). */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((value) => value === 'All')) return [];
  const body = `Unsupported value: ${formatJson(dryRun)}: supported values: "All"`;
  return [{ type: 'FieldValueNotSupported', field: 'dryRun', body }];
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > 128) errors.push(tooLong('fieldManager', 128));
  let position = 0;
  for (const character of manager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      const detail = `invalid character U+${code} (at position ${position})`;
      errors.push(invalid('fieldManager', manager, detail));
    }
    position += byteLength(character);
  }
  return errors;
}

/** Returns the manager of a write: the given one, or the client's program (handlers.managerOrUserAgent). */
export function managerOf({ fieldManager }: WriteOptions, userAgent: string | undefined): string {
  if (fieldManager !== '') return fieldManager;
  const program = (userAgent ?? '').split('/')[0] ?? '';
  const printable = [...program].filter((each) => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(each));
  return printable.join('').slice(0, 128) || 'unknown';
}
