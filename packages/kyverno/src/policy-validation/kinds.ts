import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  field,
  objectField,
  objectsField,
  saysSomething,
  stringField,
  textsField,
} from '../fields/fields.ts';
import { concernsMetadataOnly } from './patterns.ts';
import { type Problem, problemAt } from './problem.ts';
import { verifiesImages } from './spec.ts';

const metadataOnly =
  'policy can only deal with the metadata field of the resource if the rule does not match any kind';

/** The first filter of the rules that names `*` where it may not (`validateKinds`). */
export function wildcardProblem(
  rules: readonly JsonObject[],
  isBackground: boolean,
): Problem | undefined {
  for (const [at, rule] of rules.entries()) {
    for (const block of ['match', 'exclude']) {
      const filters = objectField(rule, block);
      if (filters === undefined) continue;
      const found = filterProblem(filters, rule, isBackground);
      if (found === undefined) continue;
      const place = `spec.rules[${at}].${block}${found.list}.kinds`;
      return problemAt(place, `path: ${place}: ${found.message}`);
    }
  }
  return undefined;
}

function filterProblem(
  filters: JsonObject,
  rule: JsonObject,
  isBackground: boolean,
): { readonly list: string; readonly message: string } | undefined {
  for (const [list, filter] of placedFilters(filters)) {
    const kinds = textsField(objectField(filter, 'resources') ?? {}, 'kinds');
    const message = kinds.includes('*') ? everyKindProblem(kinds, rule, isBackground) : undefined;
    if (message !== undefined) return { list, message };
  }
  return undefined;
}

function everyKindProblem(
  kinds: readonly string[],
  rule: JsonObject,
  isBackground: boolean,
): string | undefined {
  if (isBackground) {
    return 'wildcard policy not allowed in background mode. Set spec.background=false to disable background mode for this policy rule ';
  }
  if (kinds.length > 1) return 'wildcard policy can not deal with more than one kind';
  const validate = objectField(rule, 'validate') ?? {};
  const isGenerating = saysSomething(objectField(rule, 'generate'));
  if (isGenerating || verifiesImages(rule) || field(validate, 'foreach') !== undefined) {
    return 'wildcard policy does not support rule type';
  }
  const hasPattern =
    field(validate, 'pattern') !== undefined || field(validate, 'anyPattern') !== undefined;
  const isMutating = saysSomething(objectField(rule, 'mutate'));
  if ((hasPattern || isMutating) && !concernsMetadataOnly(rule)) return metadataOnly;
  return deniesByMetadata(validate) ? undefined : metadataOnly;
}

const allowedKey = /\{\{\s*(request\.|serviceAccountName|serviceAccountNamespace)[^{}]*\}\}/;

/** Only conditions in the old form are looked at. */
function deniesByMetadata(validate: JsonObject): boolean {
  const conditions = field(objectField(validate, 'deny') ?? {}, 'conditions');
  if (!Array.isArray(conditions)) return true;
  return conditions.every((condition: JsonObject) => {
    const key = stringField(condition, 'key');
    const isAllowed = allowedKey.test(key) && !key.includes('request.object.spec');
    return key.includes('request.object.metadata.') || isAllowed;
  });
}

/** The filters of a block with their places in it. */
export function placedFilters(filters: JsonObject): readonly (readonly [string, JsonObject])[] {
  const inLists = ['any', 'all'].flatMap((list) =>
    objectsField(filters, list).map((filter, at) => [`.${list}[${at}]`, filter] as const),
  );
  return [...inLists, ['', filters]];
}

/** The filters of a block that count: those of its first list that has any, or it itself. */
export function askedFilters(match: JsonObject): readonly JsonObject[] {
  const lists = ['any', 'all'].map((name) => objectsField(match, name));
  return lists.find((list) => list.length > 0) ?? [match];
}

/** Whether a block of filters has one that names no kind. */
export function lacksKinds(match: JsonObject): boolean {
  return askedFilters(match).some(
    (filter) => textsField(objectField(filter, 'resources') ?? {}, 'kinds').length === 0,
  );
}

/** Returns the message for a rule without kinds. */
export function missingKindText(rule: JsonObject): string {
  return concernsMetadataOnly(rule)
    ? 'at least one element must be specified in a kind block, the kind attribute is mandatory when working with the resources element'
    : metadataOnly;
}
