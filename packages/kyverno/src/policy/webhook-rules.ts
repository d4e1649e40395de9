import type { JsonObject } from '@kubeadmit/apimachinery';
import { listField, objectField, objectsField } from '../fields/fields.ts';
import { parseKindSelector, selectsKind } from '../match/kind.ts';
import { objectKindOf } from '../match/subject.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { CompiledRule } from './compiled-rule.ts';

/** The admission step of a webhook. */
export type WebhookStep = 'mutate' | 'validate';

/**
 * Whether the webhook that Kyverno registers for a policy has a rule for a request (`mergeWebhook`).
 *
 * @param rules the rules of the policy, generated ones included
 */
export function isServedByWebhook(
  rules: readonly CompiledRule[],
  step: WebhookStep,
  { request, object, oldObject, operation }: PolicyRequest,
): boolean {
  const kind = request.facts.kind ?? objectKindOf(object ?? oldObject ?? {});
  const { subresource } = request.facts;
  const ofStep = rules.filter((rule) => isOfStep(rule, step));
  if (ofStep.every(({ generation }) => generation !== undefined) && step === 'mutate') return false;
  return ofStep.some((rule) =>
    [...operationsByKind(rule, step)].some(
      ([text, operations]) =>
        operations.has(operation) && selectsKind(parseKindSelector(text), kind, subresource),
    ),
  );
}

/** The validating webhook hands requests on to the background controller. */
function isOfStep({ mutation, validation, generation }: CompiledRule, step: WebhookStep): boolean {
  if (generation !== undefined) return true;
  const isInBackground = mutation?.targets !== undefined;
  if (step === 'mutate') return mutation !== undefined && !isInBackground;
  return validation !== undefined || isInBackground;
}

/** The kinds that a rule names with the operations of each, as the webhook has them (`collectResourceDescriptions`). */
function operationsByKind(
  { source, generation }: CompiledRule,
  step: WebhookStep,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byKind = new Map<string, Set<string>>();
  const add = (kinds: readonly string[], operations: readonly string[]): void => {
    for (const kind of kinds) {
      byKind.set(kind, new Set([...(byKind.get(kind) ?? []), ...operations]));
    }
  };
  const isForAll = step === 'validate' || generation !== undefined;
  const defaults = isForAll ? allOperations : ['CREATE', 'UPDATE'];
  for (const described of describedResources(objectField(source, 'match') ?? {})) {
    add(textsOf(described, 'kinds'), operationsOf(described, defaults));
  }
  // Only filters of `exclude.any` that name nothing but kinds and operations narrow the webhook.
  for (const filter of objectsField(objectField(source, 'exclude') ?? {}, 'any')) {
    const described = objectField(filter, 'resources') ?? {};
    if (dependsOnMore(filter, described)) continue;
    const kinds = textsOf(described, 'kinds');
    const excluded = operationsOf(described, allOperations);
    for (const kind of kinds.length === 0 ? byKind.keys() : kinds) {
      for (const operation of excluded) byKind.get(kind)?.delete(operation);
    }
  }
  for (const kind of generatedKinds(objectField(source, 'generate') ?? {})) {
    add([kind], ['CREATE', 'UPDATE', 'DELETE']);
  }
  return byKind;
}

const allOperations: readonly string[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function describedResources(match: JsonObject): readonly JsonObject[] {
  const filters = [match, ...objectsField(match, 'all'), ...objectsField(match, 'any')];
  return filters.map((filter) => objectField(filter, 'resources') ?? {});
}

function operationsOf(described: JsonObject, defaults: readonly string[]): readonly string[] {
  const operations = textsOf(described, 'operations');
  return operations.length === 0 ? defaults : operations;
}

const objectFilters = [
  'name',
  'names',
  'namespaces',
  'annotations',
  'selector',
  'namespaceSelector',
];

/** Whether a filter depends on more than kinds and operations. */
function dependsOnMore(filter: JsonObject, described: JsonObject): boolean {
  const isOfUsers = ['roles', 'clusterRoles', 'subjects'].some((key) => isSet(filter[key]));
  const isOfObjects = objectFilters.some((key) => isSet(described[key]));
  return isOfUsers || isOfObjects;
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** The kinds of the objects that a rule generates, whose changes the background controller watches. */
function generatedKinds(generate: JsonObject): readonly string[] {
  return [generate, ...objectsField(generate, 'foreach')].flatMap((one) => {
    const { kind } = one;
    return typeof kind === 'string' && kind !== ''
      ? [kind]
      : textsOf(objectField(one, 'cloneList') ?? {}, 'kinds');
  });
}

function textsOf(object: JsonObject, name: string): readonly string[] {
  return listField(object, name).filter((each) => typeof each === 'string');
}
