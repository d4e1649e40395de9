import type { JsonObject } from '@kubeadmit/apimachinery';
import { formatJson, readYaml } from '@kubeadmit/go';
import {
  field,
  objectField,
  objectsField,
  pickFields,
  stringField,
  textsField,
} from '../fields/fields.ts';
import { compileExpression } from '../jmespath/expression.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { matchesWildcard } from '../match/wildcard.ts';
import { decodePatch } from '../mutate/json-patch.ts';
import { FinalFailure, substitute, type VariableSource } from '../variables/substitute.ts';
import { type Problem, problemAt } from './problem.ts';
import { writeRule, writeTyped } from './read-policy.ts';

const variableText = /(?:^|[^\\])(\{\{(?:\{[^{}]*\}|[^{}])*\}\})/g;
const anyVariable = /\{\{[^{}]*\}\}/;

/** The variables of a written policy, braces included. */
export function variablesOf(written: string): readonly string[] {
  return [...written.matchAll(variableText)].map(([, variable = '']) => variable);
}

/** A text with a word in the place of each variable. */
export function withoutVariables(text: string, word: string): string {
  return text.replaceAll(
    variableText,
    (match, variable: string) => match.slice(0, match.length - variable.length) + word,
  );
}

const userVariables = [
  /[^.](serviceAccountName)\b/,
  /[^.](serviceAccountNamespace)\b/,
  /[^.](request.userInfo)\b/,
  /[^.](request.roles)\b/,
  /[^.](request.clusterRoles)\b/,
];

/** Reports references to users, which only an admission request knows (`containsUserVariables`). */
export function userDataProblem(
  rules: readonly JsonObject[],
  spec: JsonObject,
  variables: readonly string[],
): string | undefined {
  for (const [at, rule] of rules.entries()) {
    const place = userFilterPlace(rule);
    if (place !== undefined) return `invalid variable used at path: spec/rules[${at}]/${place}`;
  }
  const mutatesExisting = objectsField(spec, 'rules').some(hasTargets);
  if (mutatesExisting) return undefined;
  const banned = variables.find((variable) => userVariables.some((user) => user.test(variable)));
  return banned === undefined ? undefined : `variable ${banned} is not allowed`;
}

function hasTargets(rule: JsonObject): boolean {
  return field(objectField(rule, 'mutate') ?? {}, 'targets') !== undefined;
}

/** Where `match` or `exclude` of a rule names users. */
function userFilterPlace(rule: JsonObject): string | undefined {
  for (const [block, lists] of [
    ['match', ['any', 'all']],
    ['exclude', ['all', 'any']],
  ] as const) {
    const filters = objectField(rule, block);
    if (filters === undefined) continue;
    const own = userField(filters);
    if (own !== undefined) return `${block}/${own}`;
    for (const list of lists) {
      for (const [at, filter] of objectsField(filters, list).entries()) {
        const named = userField(filter);
        if (named !== undefined) return `${block}/${list}[${at}]/${named}`;
      }
    }
  }
  return undefined;
}

function userField(filter: JsonObject): string | undefined {
  return ['roles', 'clusterRoles', 'subjects'].find((name) => {
    const value = field(filter, name);
    return Array.isArray(value) && value.length > 0;
  });
}

/** Returns the first variable that is undefined or in a forbidden position (`hasInvalidVariables`). */
export function invalidVariable(
  rules: readonly JsonObject[],
  isBackground: boolean,
): Problem | undefined {
  for (const [at, rule] of rules.entries()) {
    const message = forbiddenPlace(rule) ?? undefinedVariable(rule, isBackground);
    if (message !== undefined) return problemAt(`spec.rules[${at}]`, message);
  }
  return undefined;
}

function forbiddenPlace(rule: JsonObject): string | undefined {
  const text = (place: string): string =>
    `rule "${stringField(rule, 'name')}" should not have variables in ${place} section`;
  const read = readYaml(stringField(objectField(rule, 'mutate') ?? {}, 'patchesJson6902'));
  const patch = 'error' in read ? [] : decodePatch(read.value);
  if (!(patch instanceof Failure)) {
    for (const { path } of patch) {
      if (typeof path !== 'string') break;
      if (variablesOf(path).length > 0) return text('patchesJSON6902 path');
    }
  }
  for (const part of ['exclude', 'match']) {
    const written = formatJson(writeTyped(objectField(rule, part), 'v1.MatchResources'));
    if (anyVariable.test(written)) return text(part);
  }
  const references = objectsField(rule, 'verifyImages').flatMap((item) => [
    ...textsField(item, 'imageReferences'),
    stringField(item, 'image'),
  ]);
  const isVariable = references.some((reference) => variablesOf(reference).length > 0);
  return isVariable ? text('image reference') : undefined;
}

const always = 'element|elementIndex|@|images|images\\.|image\\.';
const ofUsers = 'serviceAccountName|serviceAccountNamespace';
const call = '([a-z_0-9]+\\()[^{}]';
const reserved = `request|${ofUsers}|element|elementIndex|@|images|image|${call}`;

/** Returns the pattern of allowed variables, as Kyverno's messages print it. */
function allowedVariables(isBackground: boolean, hasTarget: boolean): string {
  if (!hasTarget) return isBackground ? `request\\.|${always}|${call}` : reserved;
  const users = isBackground ? '' : `${ofUsers}|`;
  return `request\\.|${users}${always}|target\\.|${call}`;
}

function undefinedVariable(rule: JsonObject, isBackground: boolean): string | undefined {
  const name = stringField(rule, 'name');
  const mutate = objectField(rule, 'mutate') ?? {};
  const hasTarget = field(mutate, 'targets') !== undefined;
  if (hasTarget) {
    const message = undefinedInTargets(rule, objectsField(mutate, 'targets'), isBackground);
    if (message !== undefined) return message;
  }
  const source = new AllowedVariables(
    allowedVariables(isBackground, hasTarget),
    definedNames(rule),
  );
  const result = substitute(source, writeRule(withoutAttestationConditions(rule)));
  return result instanceof Failure
    ? `variable substitution failed for rule ${name}: ${result.message}`
    : undefined;
}

function undefinedInTargets(
  rule: JsonObject,
  targets: readonly JsonObject[],
  isBackground: boolean,
): string | undefined {
  const heads = targets.map((target) =>
    pickFields(target, ['apiVersion', 'kind', 'namespace', 'name', 'uid']),
  );
  for (const at of targets.keys()) {
    // Those behind are there, but say nothing yet.
    const shown = heads.map((head, place) => (place <= at ? head : {}));
    const probe = {
      mutate: { targets: shown },
      ...pickFields(rule, ['context', 'preconditions']),
    };
    const source = new AllowedVariables(allowedVariables(isBackground, false), definedNames(probe));
    const result = substitute(source, writeRule(probe));
    if (result instanceof Failure) {
      return `invalid variables defined at mutate.targets[${at}]: ${result.message}`;
    }
  }
  return undefined;
}

function withoutAttestationConditions(rule: JsonObject): JsonObject {
  const items = objectsField(rule, 'verifyImages');
  if (items.length === 0) return rule;
  const verifyImages = items.map((item) => ({
    ...item,
    ...(item['attestations'] !== undefined && {
      attestations: objectsField(item, 'attestations').map(
        ({ conditions: _conditions, ...attestation }) => attestation,
      ),
    }),
  }));
  return { ...rule, verifyImages };
}

/** Patterns of the names that the context entries of a rule define. */
function definedNames(rule: JsonObject): readonly string[] {
  const mutate = objectField(rule, 'mutate') ?? {};
  const owners = [
    rule,
    ...objectsField(objectField(rule, 'validate') ?? {}, 'foreach'),
    ...objectsField(mutate, 'foreach'),
    ...objectsField(mutate, 'targets'),
    ...objectsField(objectField(rule, 'generate') ?? {}, 'foreach'),
  ];
  const [own = [], ...others] = owners.map((owner) =>
    objectsField(owner, 'context').flatMap(namesOfEntry),
  );
  return [...own, ...namesOfAttestations(rule), ...others.flat()];
}

function namesOfEntry(entry: JsonObject): readonly string[] {
  const name = stringField(entry, 'name');
  const sources = ['apiCall', 'globalReference', 'imageRegistry', 'variable'];
  const names = sources.some((source) => field(entry, source) !== undefined) ? [`${name}*`] : [];
  return field(entry, 'configMap') === undefined
    ? names
    : [...names, ...['.data', '.metadata', '.data.*', '.metadata.*'].map((end) => name + end)];
}

function namesOfAttestations(rule: JsonObject): readonly string[] {
  const items = objectsField(rule, 'verifyImages');
  if (!items.some((item) => Object.keys(objectField(item, 'validate') ?? {}).length > 0)) return [];
  return items.flatMap((item) =>
    objectsField(item, 'attestations').map((one) => `${stringField(one, 'name')}*`),
  );
}

/** Variables of which only the form is known: every one that is allowed is null (Kyverno's `MockContext`). */
class AllowedVariables implements VariableSource {
  readonly operation = '';
  readonly #pattern: string;
  readonly #allowed: RegExp;
  readonly #names: readonly string[];

  constructor(pattern: string, names: readonly string[]) {
    this.#pattern = pattern;
    this.#allowed = new RegExp(pattern);
    this.#names = names;
  }

  query(text: string): unknown {
    const query = text.trim();
    if (query === '') return new Failure('invalid query (nil)');
    const expression = compileExpression(query);
    if (expression instanceof Failure) {
      return new Failure(`invalid JMESPath query ${query}: ${expression.message}`);
    }
    const variable = query.replaceAll('"', '');
    const isAllowed =
      this.#allowed.test(variable) || this.#names.some((name) => matchesWildcard(name, variable));
    return isAllowed
      ? null
      : new FinalFailure(
          `variable ${variable} must match regex "${this.#pattern}" or patterns [${this.#names.join(' ')}]`,
        );
  }
}
