import { formatFieldError, type JsonObject } from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { readYaml } from '@kubeadmit/go';
import {
  field,
  listField,
  objectField,
  objectsField,
  saysSomething,
  stringField,
} from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { decodePatch } from '../mutate/json-patch.ts';
import { traverse } from '../variables/traverse.ts';
import { actionProblem } from './actions.ts';
import {
  attestationConditions,
  operatorProblem,
  type Placed,
  validateConditions,
} from './conditions.ts';
import { contextProblem } from './context-entries.ts';
import { askedFilters, lacksKinds, missingKindText } from './kinds.ts';
import { validateUsers } from './match-exclude.ts';
import { type Problem, problemAt } from './problem.ts';
import { writeRule } from './read-policy.ts';
import { verifiesImages } from './spec.ts';
import { variablesOf, withoutVariables } from './variables.ts';
import { validateImages } from './verify-images.ts';
import { patchOnPodWarning } from './warnings.ts';

/** The first finding about one rule by itself, generated rules included (`Validate`, its loop over rules). */
export function ruleProblem(
  rule: JsonObject,
  at: number,
  isNamespaced: boolean,
  spec: JsonObject,
  warnings: string[],
): Problem | undefined {
  const place = `spec.rules[${at}]`;
  const inPatch = patchProblem(objectField(rule, 'mutate'), at);
  if (inPatch !== undefined) return problemAt(`${place}.mutate.patchesJson6902`, inPatch);
  const early = patchOnPodWarning(rule);
  if (early !== undefined) warnings.push(early);
  const inResources = resourcesProblem(rule, place);
  if (inResources !== undefined) {
    const text = `path: ${place}.${inResources.place}: ${inResources.message}`;
    return problemAt(`${place}.${inResources.path ?? inResources.place}`, text);
  }
  const message =
    elementProblem(rule) ??
    prefixed(`path: ${place}: `, contextProblem(rule, isNamespaced) ?? digestProblem(rule)) ??
    (lacksKinds(objectField(rule, 'match') ?? {}) ? missingKindText(rule) : undefined) ??
    actionProblem(rule, at) ??
    imagesProblem(rule, spec, place);
  if (message !== undefined) return problemAt(place, message);
  return undefined;
}

function prefixed(prefix: string, message: string | undefined): string | undefined {
  return message === undefined ? undefined : prefix + message;
}

function patchProblem(mutate: JsonObject | undefined, at: number): string | undefined {
  if (mutate === undefined) return undefined;
  const written = stringField(mutate, 'patchesJson6902');
  const read = readYaml(withoutVariables(written, 'kyvernojsonpatchvariable'));
  const operations = 'error' in read ? new Failure(read.error) : decodePatch(read.value);
  const text = (problem: string): string =>
    `path must begin with a forward slash: spec.rules[${at}]: ${problem}`;
  if (operations instanceof Failure) return text(operations.message);
  const relative = operations.find(({ path }) => !String(path).startsWith('/'));
  if (relative !== undefined) return text(String(relative.path));
  const isTestOfNothing = operations.some(
    (operation) => operation.op === 'test' && !Object.hasOwn(operation, 'value'),
  );
  return isTestOfNothing
    ? `invalid value: spec.rules[${at}]: operation, missing value field: missing value`
    : undefined;
}

function resourcesProblem(rule: JsonObject, path: string): Placed | undefined {
  const match = objectField(rule, 'match') ?? {};
  const exclude = objectField(rule, 'exclude');
  if (exclude !== undefined) {
    const errors = validateUsers(exclude, `${path}.exclude`);
    if (errors.length > 0) {
      return { place: 'exclude', message: formatAggregate(errors.map(formatFieldError)) };
    }
    if (hasLists(exclude) && describes(exclude)) {
      const message = "can't specify any/all together with exclude resources";
      return { place: 'exclude.', message };
    }
    if (listField(exclude, 'any').length > 0 && listField(exclude, 'all').length > 0) {
      return { place: 'match.', message: "can't specify any and all together" };
    }
  }
  if (hasLists(match) && describes(match)) {
    return { place: 'match.', message: "can't specify any/all together with match resources" };
  }
  if (!askedFilters(match).every(describes)) {
    return { place: 'match.resources.', message: 'match resources not specified' };
  }
  return conditionsProblem(rule);
}

function hasLists(block: JsonObject): boolean {
  return listField(block, 'any').length > 0 || listField(block, 'all').length > 0;
}

/** Whether a filter says anything of objects. */
function describes(filter: JsonObject): boolean {
  return saysSomething(objectField(filter, 'resources'));
}

function conditionsProblem(rule: JsonObject): Placed | undefined {
  const preconditions = field(rule, 'preconditions');
  const validate = objectField(rule, 'validate') ?? {};
  const denied = field(objectField(validate, 'deny') ?? {}, 'conditions');
  return (
    within('validate', preconditions && validateConditions(preconditions, 'preconditions'), '') ??
    within('validate.deny', denied && validateConditions(denied, 'conditions')) ??
    loopsProblem(objectsField(validate, 'foreach'), 'validate.foreach', true) ??
    loopsProblem(
      objectsField(objectField(rule, 'mutate') ?? {}, 'foreach'),
      'mutate.foreach',
      false,
    ) ??
    attestationProblem(rule)
  );
}

function attestationProblem(rule: JsonObject): Placed | undefined {
  for (const item of objectsField(rule, 'verifyImages')) {
    for (const conditions of attestationConditions(item)) {
      const problem = operatorProblem(conditions, 'conditions');
      if (problem !== undefined) return within('verifyImages.attestations', problem);
    }
  }
  return undefined;
}

/** A problem below a place; `path` is where that is, in cases in which Kyverno writes another place. */
function within(place: string, found: unknown, path: string = place): Placed | undefined {
  const problem = found as Placed | undefined;
  if (problem === undefined) return undefined;
  const own = problem.path ?? problem.place;
  return {
    ...problem,
    place: `${place}.${problem.place}`,
    path: path === '' ? own : `${path}.${own}`,
  };
}

function loopsProblem(
  loops: readonly JsonObject[],
  key: string,
  denies: boolean,
): Placed | undefined {
  for (const [at, loop] of loops.entries()) {
    const path = `${key}[${at}]`;
    const preconditions = field(loop, 'preconditions');
    const denied = denies ? field(objectField(loop, 'deny') ?? {}, 'conditions') : undefined;
    const problem =
      within(
        key,
        preconditions && operatorProblem(preconditions, 'conditions', 'preconditions'),
        path,
      ) ??
      within(`${key}.deny`, denied && operatorProblem(denied, 'conditions'), `${path}.deny`) ??
      within(key, loopsProblem(objectsField(loop, 'foreach'), key, denies));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Variables of an element stand only in loops. */
function elementProblem(rule: JsonObject): string | undefined {
  const found = traverse(writeRule(rule), (text, path) => {
    for (const variable of variablesOf(text)) {
      const name = variable.replaceAll('{{', '').replaceAll('}}', '').trim();
      if (name.startsWith('element') && !path.includes('/foreach/')) {
        return new Failure(`variable '${name}' present outside of foreach at path ${path}`);
      }
    }
    return text;
  });
  return found instanceof Failure ? found.message : undefined;
}

function digestProblem(rule: JsonObject): string | undefined {
  const extractors = Object.values(objectField(rule, 'imageExtractors') ?? {}).flat();
  const mutates = objectsField(rule, 'verifyImages').some(
    (item) => field(item, 'mutateDigest') === true,
  );
  const isMapped = extractors.some((one) => stringField(one as JsonObject, 'jmesPath') !== '');
  return mutates && isMapped
    ? 'jmespath may not be used in an image extractor when mutating digests with verify images'
    : undefined;
}

function imagesProblem(rule: JsonObject, spec: JsonObject, place: string): string | undefined {
  if (!verifiesImages(rule)) return undefined;
  let isAudit = !/^enforce$/i.test(stringField(spec, 'validationFailureAction'));
  const errors = objectsField(rule, 'verifyImages').flatMap((item, at) => {
    const action = stringField(item, 'failureAction');
    if (action !== '') isAudit = !/^enforce$/i.test(action);
    return validateImages(item, `${place}.verifyImages[${at}]`, isAudit);
  });
  return errors.length === 0 ? undefined : formatAggregate(errors.map(formatFieldError));
}
