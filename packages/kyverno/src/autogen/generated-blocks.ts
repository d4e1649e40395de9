import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import {
  field,
  listField,
  objectField,
  objectsField,
  pickFields,
  stringField,
} from '../fields/fields.ts';
import { containsPod, kindsOf, longNames } from './kinds.ts';
import { shiftReferences } from './references.ts';

/** A group of kinds for which rules are generated, and the position of the pod in their objects. */
export interface Shape {
  readonly name: string;
  /** The key that is put around patterns inside `spec`. */
  readonly template: string;
  readonly shift: string;
  readonly kinds: readonly string[];
  /** Whether every filter gets the kinds, or only those that name Pod. */
  readonly everyFilter: boolean;
}

/** Whether Kyverno's type for a block holds nothing but absent fields; empty lists and maps are something. */
export function isZero(block: JsonObject): boolean {
  return Object.entries(block).every(
    ([key, value]) =>
      value === null || value === '' || (key === 'resources' && isObject(value) && isZero(value)),
  );
}

/** Whether a block of conditions has any. */
export function hasConditions(source: unknown): boolean {
  if (Array.isArray(source)) return source.length > 0;
  return (
    isObject(source) && (field(source, 'any') !== undefined || field(source, 'all') !== undefined)
  );
}

/** A block of conditions without the lists that are empty in it, as Go leaves them out. */
export function withoutEmptyLists(source: unknown): unknown {
  if (!isObject(source)) return source;
  const kept: JsonObject = {};
  for (const name of ['any', 'all']) {
    const list = listField(source, name);
    if (list.length > 0) kept[name] = list;
  }
  return kept;
}

/** A `deny` whose empty lists of conditions are dropped, as writing it out and reading it again does. */
function withoutEmptyConditions(deny: JsonObject): JsonObject {
  const conditions = field(deny, 'conditions');
  return conditions === undefined ? deny : { conditions: withoutEmptyLists(conditions) };
}

/** A loop of a rule: Kyverno decodes it over the original, where empty lists of preconditions stay. */
function withoutEmptyInLoop(loop: JsonObject): JsonObject {
  const deny = objectField(loop, 'deny');
  const loops = objectsField(loop, 'foreach');
  return {
    ...loop,
    ...(deny && { deny: withoutEmptyConditions(deny) }),
    ...(loops.length > 0 && { foreach: loops.map(withoutEmptyInInnerLoop) }),
  };
}

function withoutEmptyInInnerLoop(loop: JsonObject): JsonObject {
  const preconditions = objectField(loop, 'preconditions');
  return {
    ...withoutEmptyInLoop(loop),
    ...(preconditions && { preconditions: withoutEmptyLists(preconditions) }),
  };
}

/** A `match` or `exclude` block for other kinds. */
export function generateFilters(block: JsonObject, shape: Shape, isMatch: boolean): JsonObject {
  const kinds = shape.kinds.map((kind) => longNames.get(kind) ?? kind);
  const withKinds = (filter: JsonObject): JsonObject => ({
    ...filter,
    resources: { ...objectField(filter, 'resources'), kinds },
  });
  for (const list of ['any', 'all']) {
    const filters = objectsField(block, list);
    if (filters.length === 0) continue;
    const changed = filters.map((filter) =>
      shape.everyFilter || containsPod(kindsOf(filter)) ? withKinds(filter) : filter,
    );
    return { ...block, [list]: changed };
  }
  const hasKinds = listField(objectField(block, 'resources') ?? {}, 'kinds').length > 0;
  return isMatch || hasKinds ? withKinds(block) : block;
}

/** Generates the body of a rule for the pods in other kinds. */
export function generateBody(rule: JsonObject, shape: Shape): JsonObject | undefined {
  const wrap = (pattern: unknown): JsonObject => ({ spec: { [shape.template]: pattern } });
  const validate = objectField(rule, 'validate');
  const mutate = objectField(rule, 'mutate');
  const mutation = mutate && generateMutation(mutate, wrap);
  if (mutation !== undefined) return { mutate: mutation, ...(validate && { validate }) };
  const validation = validate && generateValidation(validate, shape, wrap);
  if (validation !== undefined) return { validate: validation, ...(mutate && { mutate }) };
  return listField(rule, 'verifyImages').length > 0 ? { ...(validate && { validate }) } : undefined;
}

type Wrap = (pattern: unknown) => JsonObject;

function generateMutation(mutate: JsonObject, wrap: Wrap): JsonObject | undefined {
  const patch = field(mutate, 'patchStrategicMerge');
  if (patch !== undefined) return { patchStrategicMerge: wrap(patch) };
  const loops = objectsField(mutate, 'foreach');
  if (loops.length === 0) return undefined;
  return {
    foreach: loops.map((loop) => ({
      ...pickFields(loop, ['list', 'context', 'preconditions']),
      patchStrategicMerge: wrap(field(loop, 'patchStrategicMerge') ?? null),
    })),
  };
}

function generateValidation(
  validate: JsonObject,
  shape: Shape,
  wrap: Wrap,
): JsonObject | undefined {
  const kept = (pivot: string): JsonObject => {
    const message = shiftReferences(stringField(validate, 'message'), shape.shift, pivot);
    return {
      ...(message !== '' && { message }),
      ...pickFields(validate, [
        'failureAction',
        'failureActionOverrides',
        'allowExistingViolations',
      ]),
    };
  };
  const pattern = field(validate, 'pattern');
  if (pattern !== undefined) return { ...kept('pattern'), pattern: wrap(pattern) };
  const deny = objectField(validate, 'deny');
  if (deny !== undefined) return { ...kept('deny'), deny: withoutEmptyConditions(deny) };
  const podSecurity = field(validate, 'podSecurity');
  if (podSecurity !== undefined) {
    // Kyverno's copy of the exclusions is a list even if there is none, so the rule says something.
    const isEmpty = isObject(podSecurity) && Object.keys(podSecurity).length === 0;
    return { ...kept('podSecurity'), podSecurity: isEmpty ? { exclude: [] } : podSecurity };
  }
  const anyPattern = field(validate, 'anyPattern');
  if (anyPattern !== undefined) {
    const patterns = Array.isArray(anyPattern) ? anyPattern.map(wrap) : null;
    return { ...kept('anyPattern'), anyPattern: patterns };
  }
  if (listField(validate, 'foreach').length > 0) {
    return {
      ...kept('pattern'),
      foreach: objectsField(validate, 'foreach').map(withoutEmptyInLoop),
    };
  }
  return field(validate, 'cel') === undefined ? undefined : validate;
}
