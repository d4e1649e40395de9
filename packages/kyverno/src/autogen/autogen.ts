import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { plainKind } from '../match/kind.ts';
import {
  field,
  listField,
  objectField,
  objectsField,
  stringField,
  textsField,
} from '../policy/fields.ts';
import { mapStrings } from './map-strings.ts';
import { shiftReferences } from './references.ts';
import { type TemplatePlace, templatePaths } from './template-place.ts';

const workloads: ReadonlyMap<string, string> = new Map([
  ['DaemonSet', 'apps/v1/DaemonSet'],
  ['Deployment', 'apps/v1/Deployment'],
  ['Job', 'batch/v1/Job'],
  ['ReplicaSet', 'apps/v1/ReplicaSet'],
  ['ReplicationController', 'v1/ReplicationController'],
  ['StatefulSet', 'apps/v1/StatefulSet'],
]);
const longNames: ReadonlyMap<string, string> = new Map([
  ...workloads,
  ['CronJob', 'batch/v1/CronJob'],
  ['Pod', 'v1/Pod'],
]);
const controllers: readonly string[] = [...workloads.keys(), 'CronJob'];
const longestName = 63;

/** The rules of {@link rulesWithOrigins} by themselves. */
export function computeRules(policy: JsonObject, kind: string): readonly JsonObject[] {
  return rulesWithOrigins(policy, kind).map(({ source }) => source);
}

/** A rule, and what it was made of where Kyverno generated it. */
export interface ComputedRule {
  readonly source: JsonObject;
  readonly origin?: RuleOrigin | undefined;
}

/**
 * The rules of a policy with those that Kyverno generates for pod controllers (`pkg/autogen`, V1).
 *
 * With a kind only the rules for that kind are generated, as in validation; without, those for all controllers,
 * as in mutation.
 */
export function rulesWithOrigins(policy: JsonObject, kind: string): readonly ComputedRule[] {
  const written = objectsField(objectField(policy, 'spec') ?? {}, 'rules');
  const rules = written.map((source): ComputedRule => ({ source }));
  const chosen = chosenControllers(policy, written);
  if (chosen === undefined || (kind !== '' && !chosen.includes(kind))) return rules;
  const wanted = kind === '' ? chosen : [kind];
  if (wanted.length === 1 && wanted[0] === 'none') return rules;
  const generated = written.flatMap((rule) => generateRules(rule, wanted));
  if (generated.length === 0) return rules;
  return [...rules.filter(({ source }) => !isGenerated(source)), ...generated];
}

/** What a generated rule was made of. */
export interface RuleOrigin {
  /** The rule of the policy. */
  readonly written: JsonObject;
  readonly place: TemplatePlace;
}

function isGenerated(rule: JsonObject): boolean {
  return stringField(rule, 'name').startsWith('autogen-');
}

/** The controllers to generate for, as the annotation or else all; undefined where nothing is to be generated. */
function chosenControllers(
  policy: JsonObject,
  rules: readonly JsonObject[],
): readonly string[] | undefined {
  if (!isSupported(rules)) return undefined;
  const annotations = objectField(objectField(policy, 'metadata') ?? {}, 'annotations') ?? {};
  const annotation = field(annotations, 'pod-policies.kyverno.io/autogen-controllers');
  return typeof annotation === 'string' ? [...new Set(annotation.split(','))] : controllers;
}

function isSupported(rules: readonly JsonObject[]): boolean {
  let isNeeded = false;
  for (const rule of rules) {
    if (objectField(rule, 'generate') !== undefined && hasMembers(objectField(rule, 'generate')))
      return false;
    const mutate = objectField(rule, 'mutate') ?? {};
    const patches = [mutate, ...objectsField(mutate, 'foreach')];
    if (patches.some((patch) => stringField(patch, 'patchesJson6902') !== '')) return false;
    for (const resources of filtersOf(rule)) {
      if (!isSupportedFilter(resources)) return false;
      isNeeded ||= textsField(resources, 'kinds').some(
        (kind) => kind === 'Pod' || controllers.includes(kind),
      );
    }
  }
  return isNeeded;
}

function hasMembers(object: JsonObject | undefined): boolean {
  return object !== undefined && Object.keys(object).length > 0;
}

function filtersOf(rule: JsonObject): readonly JsonObject[] {
  const blocks = [objectField(rule, 'match'), objectField(rule, 'exclude')].filter(
    (block) => block !== undefined,
  );
  return blocks
    .flatMap((block) => [block, ...objectsField(block, 'any'), ...objectsField(block, 'all')])
    .map((filter) => objectField(filter, 'resources') ?? {});
}

function isSupportedFilter(resources: JsonObject): boolean {
  const kinds = textsField(resources, 'kinds');
  return (
    stringField(resources, 'name') === '' &&
    listField(resources, 'names').length === 0 &&
    objectField(resources, 'selector') === undefined &&
    objectField(resources, 'annotations') === undefined &&
    !(kinds.length > 1 && containsPod(kinds))
  );
}

function containsPod(kinds: readonly string[]): boolean {
  return kinds.some((kind) => plainKind(kind) === 'Pod');
}

interface Shape {
  readonly name: string;
  /** The key that is put around patterns inside `spec`. */
  readonly template: string;
  readonly shift: string;
  readonly kinds: readonly string[];
  /** Whether every filter gets the kinds, or only those that name Pod. */
  readonly everyFilter: boolean;
}

function generateRules(rule: JsonObject, wanted: readonly string[]): readonly ComputedRule[] {
  const generated: ComputedRule[] = [];
  const workloadKinds = wanted.filter((kind) => kind !== 'CronJob');
  if (workloadKinds.length > 0) {
    const made = generateForWorkloads(rule, workloadKinds);
    if (made !== undefined) generated.push(replacePaths(made, rule, 'defaults'));
  }
  if (wanted.some((kind) => kind.includes('CronJob') || kind.includes('all'))) {
    const base = generateForWorkloads(rule, wanted);
    const made =
      base &&
      generate(base, {
        name: `autogen-cronjob-${stringField(rule, 'name')}`,
        template: 'jobTemplate',
        shift: 'spec/jobTemplate/spec/template',
        kinds: ['CronJob'],
        everyFilter: true,
      });
    if (made !== undefined) generated.push(replacePaths(made, rule, 'cronjobs'));
  }
  return generated;
}

function generateForWorkloads(rule: JsonObject, wanted: readonly string[]): JsonObject | undefined {
  if (isGenerated(rule) || wanted.join(',') === '') return undefined;
  const matchKinds = kindsOf(objectField(rule, 'match'));
  const excludeKinds = kindsOf(objectField(rule, 'exclude'));
  if (!containsPod(matchKinds) || (excludeKinds.length > 0 && !containsPod(excludeKinds)))
    return undefined;
  const sorted = [...wanted].sort(compareText);
  const known = sorted.filter((kind) => workloads.has(kind));
  const kinds =
    wanted.join(',') === 'all' ? [...workloads.keys()] : known.length > 0 ? known : sorted;
  return generate(rule, {
    name: `autogen-${stringField(rule, 'name')}`,
    template: 'template',
    shift: 'spec/template',
    kinds,
    everyFilter: false,
  });
}

function kindsOf(block: JsonObject | undefined): readonly string[] {
  if (block === undefined) return [];
  return [block, ...objectsField(block, 'all'), ...objectsField(block, 'any')].flatMap((filter) =>
    textsField(objectField(filter, 'resources') ?? {}, 'kinds'),
  );
}

function generate(rule: JsonObject, shape: Shape): JsonObject | undefined {
  const body = generateBody(rule, shape);
  if (body === undefined) return undefined;
  const exclude = objectField(rule, 'exclude');
  const preconditions = field(rule, 'preconditions');
  const kept: JsonObject = {};
  for (const name of [
    'context',
    'celPreconditions',
    'skipBackgroundRequests',
    'reportProperties',
    'verifyImages',
  ]) {
    const value = field(rule, name);
    const isEmpty =
      (Array.isArray(value) && value.length === 0) || (isObject(value) && !hasMembers(value));
    if (value !== undefined && !isEmpty) kept[name] = value;
  }
  return {
    ...kept,
    ...(hasConditions(preconditions) && { preconditions }),
    name: shape.name.slice(0, longestName),
    match: generateFilters(objectField(rule, 'match') ?? {}, shape, true),
    ...(exclude && !isZero(exclude) && { exclude: generateFilters(exclude, shape, false) }),
    ...body,
  };
}

/** Whether Kyverno's type for a block holds nothing but absent fields; empty lists and maps are something. */
function isZero(block: JsonObject): boolean {
  return Object.entries(block).every(
    ([key, value]) =>
      value === null || value === '' || (key === 'resources' && isObject(value) && isZero(value)),
  );
}

function hasConditions(source: unknown): boolean {
  if (Array.isArray(source)) return source.length > 0;
  return (
    isObject(source) && (field(source, 'any') !== undefined || field(source, 'all') !== undefined)
  );
}

function withoutEmptyLists(source: unknown): unknown {
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

/** A loop of a rule: Kyverno reads it back over what it was, where empty lists of preconditions stay. */
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

function generateFilters(block: JsonObject, shape: Shape, isMatch: boolean): JsonObject {
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

function generateBody(rule: JsonObject, shape: Shape): JsonObject | undefined {
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
      ...picked(loop, ['list', 'context', 'preconditions']),
      patchStrategicMerge: wrap(field(loop, 'patchStrategicMerge') ?? null),
    })),
  };
}

function picked(source: JsonObject, names: readonly string[]): JsonObject {
  const object: JsonObject = {};
  for (const name of names) {
    const value = field(source, name);
    if (value !== undefined) object[name] = value;
  }
  return object;
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
      ...picked(validate, ['failureAction', 'failureActionOverrides', 'allowExistingViolations']),
    };
  };
  const pattern = field(validate, 'pattern');
  if (pattern !== undefined) return { ...kept('pattern'), pattern: wrap(pattern) };
  const deny = objectField(validate, 'deny');
  if (deny !== undefined) return { ...kept('deny'), deny: withoutEmptyConditions(deny) };
  const podSecurity = field(validate, 'podSecurity');
  if (podSecurity !== undefined) return { ...kept('podSecurity'), podSecurity };
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

/** Lengthens the paths to the pod's spec and metadata in every text of a rule, keys included. */
function replacePaths(rule: JsonObject, written: JsonObject, place: TemplatePlace): ComputedRule {
  const template = templatePaths[place];
  const isCel = field(objectField(rule, 'validate') ?? {}, 'cel') !== undefined;
  const prefix = isCel ? '' : 'request.';
  const replacements = ['spec', 'metadata'].flatMap((part) =>
    ['object', 'oldObject'].map((object) => ({
      from: `${prefix}${object}.${part}`,
      to: `${prefix}${object}.${template}.${part}`,
    })),
  );
  const preconditions = field(rule, 'preconditions');
  const given =
    preconditions === undefined
      ? rule
      : { ...rule, preconditions: withoutEmptyLists(preconditions) };
  const changed = mapStrings(given, (text) =>
    text.includes('bject.')
      ? replacements.reduce((result, { from, to }) => result.replaceAll(from, to), text)
      : text,
  );
  return { source: isObject(changed) ? changed : given, origin: { written, place } };
}
