import {
  compileLabelRequirements,
  type FieldError,
  type FieldRequirement,
  parseFieldSelector,
  parseLabelSelector,
  type Selector,
} from '@kubeadmit/apimachinery';
import { forbidden, notSupported } from '@kubeadmit/apimachinery/field-errors';
import { badRequest, invalidObject } from '../errors/failures.ts';
import { booleanOf, integerOf } from './query-values.ts';

/** The options of a list or watch (meta/v1 ListOptions). */
export interface ListOptions {
  readonly labels: Selector;
  readonly fields: readonly FieldRequirement[];
  readonly isWatch: boolean;
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** The query parameters of lists, watches and deletions of collections, with their types in OpenAPI. */
export const listParameters: Readonly<Record<string, 'boolean' | 'integer' | 'string'>> = {
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};

/** Reads the options of a list or watch, or throws their errors. */
export function readListOptions(query: URLSearchParams): ListOptions {
  const options = decodeListOptions(query);
  const errors = options.isWatch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', name: 'ListOptions' }, '', errors);
  }
  return options;
}

/**
 * Decodes the options of a list or watch, whether they fit together or not. Throws the 400 of a value that cannot be
 * decoded.
 */
export function decodeListOptions(query: URLSearchParams): ListOptions {
  const labels = parseLabelSelector(endedByNul(query.get('labelSelector') ?? ''));
  if ('error' in labels) throw badRequest(labels.error);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  if ('error' in fields) throw badRequest(fields.error);
  return {
    labels: compileLabelRequirements(labels),
    fields,
    isWatch: booleanOf(query, 'watch') ?? false,
    // Negative limits count as none.
    limit: Math.max(integerOf(query, 'limit') ?? 0, 0),
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: integerOf(query, 'timeoutSeconds'),
    allowWatchBookmarks: booleanOf(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: booleanOf(query, 'sendInitialEvents'),
  };
}

// The parser takes the first NUL for the end of the text.
function endedByNul(text: string): string {
  return text.split('\0', 1)[0] ?? '';
}

const matchField = 'resourceVersionMatch';

// meta/internalversion/validation.ValidateListOptions
function listErrors({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      const why = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
      errors.push(forbidden(matchField, why));
    }
    if (continueToken !== '') {
      const why = 'resourceVersionMatch is forbidden when continue is provided';
      errors.push(forbidden(matchField, why));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      const why = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
      errors.push(forbidden(matchField, why));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors({
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    const why = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    errors.push(forbidden(matchField, why));
  }
  if (match !== '' && sendInitialEvents === undefined) {
    const why = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    errors.push(forbidden(matchField, why));
  }
  if (match !== '' && match !== 'NotOlderThan')
    errors.push(notSupported(matchField, match, ['NotOlderThan']));
  if (continueToken !== '') {
    const why = 'resourceVersionMatch is forbidden when continue is provided';
    errors.push(forbidden(matchField, why));
  }
  return errors;
}
