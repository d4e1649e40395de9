import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import {
  field,
  listField,
  objectField,
  objectsField,
  stringField,
  textsField,
} from '../fields/fields.ts';
import {
  generateBody,
  generateFilters,
  hasConditions,
  isZero,
  type Shape,
  withoutEmptyLists,
} from './generated-blocks.ts';
import { containsPod, filtersOf, kindsOf, workloads } from './kinds.ts';
import { mapStrings } from './map-strings.ts';
import { type TemplatePlace, templatePaths } from './template-place.ts';

const controllers: readonly string[] = [...workloads.keys(), 'CronJob'];
const longestName = 63;

/** The rules of {@link rulesWithOrigins} by themselves. */
export function computeRules(policy: JsonObject, kind: string): readonly JsonObject[] {
  return rulesWithOrigins(policy, kind).map(({ source }) => source);
}

/** A rule, and the rule that Kyverno generated it from. */
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

/** The origin of a generated rule. */
export interface RuleOrigin {
  /** The rule of the policy. */
  readonly written: JsonObject;
  readonly place: TemplatePlace;
}

/** Whether Kyverno generated a rule. */
export function isGenerated(rule: JsonObject): boolean {
  return stringField(rule, 'name').startsWith('autogen-');
}

/** The controllers of autogen: those of the annotation, or all; `undefined` if no rules are to be generated. */
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
    if (hasMembers(objectField(rule, 'generate'))) return false;
    const mutate = objectField(rule, 'mutate') ?? {};
    const patches = [mutate, ...objectsField(mutate, 'foreach')];
    if (patches.some((patch) => stringField(patch, 'patchesJson6902') !== '')) return false;
    const blocks = ['match', 'exclude'].map((name) => objectField(rule, name) ?? {});
    for (const filter of blocks.flatMap(filtersOf)) {
      const resources = objectField(filter, 'resources') ?? {};
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
