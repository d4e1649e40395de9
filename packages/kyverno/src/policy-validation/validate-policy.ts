import { aggregateText, fieldErrorText, goJson } from '@kubeadmit/engine';
import { computeRules } from '../autogen/autogen.ts';
import { Failure } from '../jmespath/failure.ts';
import { decodePatch } from '../mutate/json-patch.ts';
import { field, listField, objectField, objectsField, textField } from '../policy/fields.ts';
import { saysSomething } from '../policy/rule.ts';
import { DecodeError } from '../values/go-decode.ts';
import type { JsonObject } from '../values/value.ts';
import { readYaml } from '../values/yaml-reader.ts';
import { traverse } from '../variables/traverse.ts';
import { actionProblem } from './actions.ts';
import {
  attestationConditions,
  operatorProblem,
  operatorWarnings,
  type Placed,
  validateConditions,
} from './conditions.ts';
import { contextProblem } from './context-entries.ts';
import { lacksKinds, missingKindText, wildcardProblem } from './kinds.ts';
import { validateUsers } from './match-exclude.ts';
import { overrideProblem } from './overrides.ts';
import { hasTextLabels } from './patterns.ts';
import { type Problem, pathOf, problemAt } from './problem.ts';
import { readPolicy, readRule, writePolicy, writeRule } from './read-policy.ts';
import { validateFields, verifiesImages } from './spec.ts';
import { invalidVariable, userDataProblem, variablesOf, withoutVariables } from './variables.ts';
import { validateImages } from './verify-images.ts';
import {
  autogenWarning,
  deprecationWarnings,
  patchOnPodWarning,
  predicateWarnings,
  subresourceWarnings,
} from './warnings.ts';

/** What Kyverno says of a policy when it is created. */
export interface PolicyVerdict {
  readonly warnings: readonly string[];
  /** Why the policy is refused, in one text; empty when it is not. */
  readonly error: string;
  /** Where, each finding on its own; Kyverno ends at the first of most kinds. */
  readonly problems: readonly Problem[];
}

/**
 * Validates a ClusterPolicy or Policy as Kyverno's webhook does, without a cluster (`pkg/validation/policy`).
 *
 * A policy of the wrong shape is refused with the text of Go's decoder. Never throws.
 */
export function validatePolicyObject(source: JsonObject): PolicyVerdict {
  const policy = readPolicy(source);
  if (policy instanceof DecodeError) return refused([], [policy]);
  const kind = textField(policy, 'kind');
  const warnings: string[] = [];
  const problems = findProblems(policy, kind, warnings);
  return problems.length === 0 ? { warnings, error: '', problems } : refused(warnings, problems);
}

function refused(warnings: readonly string[], problems: readonly Problem[]): PolicyVerdict {
  return { warnings, error: aggregateText(problems.map(({ message }) => message)), problems };
}

function findProblems(policy: JsonObject, kind: string, warnings: string[]): readonly Problem[] {
  const isNamespaced = kind === 'Policy';
  const spec = objectField(policy, 'spec') ?? {};
  const metadata = objectField(policy, 'metadata') ?? {};
  if (!isNamespaced && textField(metadata, 'namespace') !== '') {
    const message = 'A clusterpolicy should not have the namespace defined';
    warnings.push(message);
    return [problemAt('metadata.namespace', message)];
  }
  warnings.push(...deprecationWarnings(spec));
  const isBackground = field(spec, 'background') !== false;
  const rules = computeRules(policy, '').map(readRule);
  const inVariables = variableProblem(policy, kind, rules, isBackground);
  if (inVariables !== undefined) return [inVariables];
  const errors = validateFields(policy, isNamespaced);
  if (errors.length > 0) {
    return errors.map((error) => ({ message: fieldErrorText(error), path: pathOf(error.field) }));
  }
  const problem =
    (isNamespaced ? undefined : overridesProblem(spec)) ??
    processingProblem(spec) ??
    wildcardProblem(rules, isBackground) ??
    rulesProblem(policy, kind, rules, warnings);
  return problem === undefined ? [] : [problem];
}

function variableProblem(
  policy: JsonObject,
  kind: string,
  rules: readonly JsonObject[],
  isBackground: boolean,
): Problem | undefined {
  const spec = objectField(policy, 'spec') ?? {};
  if (isBackground) {
    const problem = userDataProblem(rules, spec, policyVariables(policy, kind));
    if (problem !== undefined) {
      const message = `only select variables are allowed in background mode. Set spec.background=false to disable background mode for this policy rule: ${problem} `;
      return problemAt('spec.background', message);
    }
  }
  const invalid = invalidVariable(rules, isBackground);
  return (
    invalid && { ...invalid, message: `policy contains invalid variables: ${invalid.message}` }
  );
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The variables of a policy, those in a copy of it left out. */
function policyVariables(policy: JsonObject, kind: string): readonly string[] {
  const metadata = objectField(policy, 'metadata') ?? {};
  const annotations = objectField(metadata, 'annotations') ?? {};
  const plain = Object.hasOwn(annotations, lastApplied)
    ? { ...policy, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: '' } } }
    : policy;
  const { status: _status, ...rest } = plain;
  return variablesOf(goJson(writePolicy(rest, kind)));
}

function overridesProblem(spec: JsonObject): Problem | undefined {
  for (const [at, rule] of objectsField(spec, 'rules').entries()) {
    const validate = objectField(rule, 'validate') ?? {};
    const place = `spec.rules[${at}].validate.validationFailureActionOverrides`;
    const problem = overrideProblem(validate, 'failureActionOverrides', place);
    if (problem !== undefined) return problemAt(place, problem);
  }
  const place = 'spec.validationFailureActionOverrides';
  const problem = overrideProblem(spec, 'validationFailureActionOverrides', place);
  return problem === undefined ? undefined : problemAt(place, problem);
}

function processingProblem(spec: JsonObject): Problem | undefined {
  if (field(spec, 'admission') !== false) return undefined;
  if (field(spec, 'background') === false) {
    const message = 'disabling both admission and background processing is not allowed';
    return problemAt('spec.admission', message);
  }
  const validatesOnly = objectsField(spec, 'rules').every(
    (rule) =>
      !saysSomething(objectField(rule, 'mutate')) &&
      !saysSomething(objectField(rule, 'generate')) &&
      !verifiesImages(rule),
  );
  const message = 'disabling admission processing is only allowed with validation policies';
  return validatesOnly ? undefined : problemAt('spec.admission', message);
}

function rulesProblem(
  policy: JsonObject,
  kind: string,
  rules: readonly JsonObject[],
  warnings: string[],
): Problem | undefined {
  const spec = objectField(policy, 'spec') ?? {};
  for (const [at, rule] of rules.entries()) {
    const found = ruleProblem(rule, at, kind === 'Policy', spec, warnings);
    if (found !== undefined) return found;
    const inAutogen = autogenWarning(rule, policy);
    if (inAutogen !== undefined) warnings.push(inAutogen);
    if (!hasTextLabels(rule)) return problemAt(`spec.rules[${at}]`, textLabels);
    warnings.push(...subresourceWarnings(rule));
    const inExisting = existingProblem(rule, policy, kind, rules, spec, at);
    if (inExisting !== undefined) return inExisting;
    warnings.push(...predicateWarnings(rule), ...operatorWarnings(rule));
  }
  return undefined;
}

const textLabels =
  'labels and annotations supports only string values, "use double quotes around the non string values"';

function ruleProblem(
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
    return problemAt(`${place}.${inResources.place}`, text);
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
  const written = textField(mutate, 'patchesJson6902');
  const read = readYaml(withoutVariables(written, 'kyvernojsonpatchvariable'));
  const operations = 'error' in read ? new Failure(read.error) : decodePatch(read.value);
  const text = (problem: string): string =>
    `path must begin with a forward slash: spec.rules[${at}]: ${problem}`;
  if (operations instanceof Failure) return text(operations.message);
  const relative = operations.find(({ path }) => !String(path).startsWith('/'));
  if (relative !== undefined) return text(String(relative['path']));
  const isTestOfNothing = operations.some(
    (operation) => operation['op'] === 'test' && !Object.hasOwn(operation, 'value'),
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
      return { place: 'exclude', message: aggregateText(errors.map(fieldErrorText)) };
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
  const any = objectsField(match, 'any');
  const all = objectsField(match, 'all');
  const filters = any.length > 0 ? any : all.length > 0 ? all : [match];
  if (!filters.every(describes)) {
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
    within('validate', preconditions && validateConditions(preconditions, 'preconditions')) ??
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

function within(place: string, found: unknown): Placed | undefined {
  const problem = found as Placed | undefined;
  return problem && { ...problem, place: `${place}.${problem.place}` };
}

function loopsProblem(
  loops: readonly JsonObject[],
  key: string,
  denies: boolean,
): Placed | undefined {
  for (const loop of loops) {
    const preconditions = field(loop, 'preconditions');
    const denied = denies ? field(objectField(loop, 'deny') ?? {}, 'conditions') : undefined;
    const problem =
      within(key, preconditions && operatorProblem(preconditions, 'conditions')) ??
      within(`${key}.deny`, denied && operatorProblem(denied, 'conditions')) ??
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
  const isMapped = extractors.some((one) => textField(one as JsonObject, 'jmesPath') !== '');
  return mutates && isMapped
    ? 'jmespath may not be used in an image extractor when mutating digests with verify images'
    : undefined;
}

function imagesProblem(rule: JsonObject, spec: JsonObject, place: string): string | undefined {
  if (!verifiesImages(rule)) return undefined;
  let isAudit = !/^enforce$/i.test(textField(spec, 'validationFailureAction'));
  const errors = objectsField(rule, 'verifyImages').flatMap((item, at) => {
    const action = textField(item, 'failureAction');
    if (action !== '') isAudit = !/^enforce$/i.test(action);
    return validateImages(item, `${place}.verifyImages[${at}]`, isAudit);
  });
  return errors.length === 0 ? undefined : aggregateText(errors.map(fieldErrorText));
}

/** What only a cluster's events cannot tell, in rules that run when the policy itself changes. */
function existingProblem(
  rule: JsonObject,
  policy: JsonObject,
  kind: string,
  rules: readonly JsonObject[],
  spec: JsonObject,
  at: number,
): Problem | undefined {
  const place = `spec.rules[${at}]`;
  const mutate = objectField(rule, 'mutate');
  if (mutate === undefined || !saysSomething(mutate)) return undefined;
  const own = field(mutate, 'mutateExistingOnPolicyUpdate');
  if ((own ?? field(spec, 'mutateExistingOnPolicyUpdate')) !== true) return undefined;
  const variables = policyVariables(policy, kind);
  if (variables.length === 0) return undefined;
  const invalid = invalidVariable(rules, true);
  if (invalid !== undefined) {
    return {
      ...invalid,
      message: `update event, policy contains invalid variables: ${invalid.message}`,
    };
  }
  const problem = userDataProblem(rules, spec, variables);
  return problem === undefined
    ? undefined
    : problemAt(
        place,
        `only select variables are allowed in on policy update. Set spec.mutateExistingOnPolicyUpdate=false to disable update policy mode for this policy rule: ${problem} `,
      );
}
