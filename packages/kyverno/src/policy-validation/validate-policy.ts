import { formatFieldError, type JsonObject } from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { formatJson } from '@kubeadmit/go';
import { computeRules } from '../autogen/autogen.ts';
import { field, objectField, objectsField, saysSomething, stringField } from '../fields/fields.ts';
import { clusterProblem } from './cluster-problem.ts';
import { operatorWarnings } from './conditions.ts';
import { generateChange } from './generate-changes.ts';
import { type KindScopes, namespacedScopes } from './kind-scopes.ts';
import { wildcardProblem } from './kinds.ts';
import { overrideProblem } from './overrides.ts';
import { hasTextLabels } from './patterns.ts';
import { type Problem, pathOf, problemAt } from './problem.ts';
import { DecodeError, readPolicy, readRule, writePolicy } from './read-policy.ts';
import { ruleProblem } from './rule-problem.ts';
import { validateFields, verifiesImages } from './spec.ts';
import { invalidVariable, userDataProblem, variablesOf } from './variables.ts';
import {
  autogenWarning,
  deprecationWarnings,
  predicateWarnings,
  subresourceWarnings,
} from './warnings.ts';

/** Kyverno's answer to the creation of a policy. */
export interface PolicyVerdict {
  /** The warnings for the client. */
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
 *
 * @param old the stored policy, if this is an update of one
 */
export function validatePolicyObject(
  source: JsonObject,
  scopes: KindScopes = namespacedScopes,
  old?: JsonObject,
): PolicyVerdict {
  const policy = readPolicy(source);
  if (policy instanceof DecodeError) return refused([], [policy]);
  const kind = stringField(policy, 'kind');
  const warnings: string[] = [];
  const problems = findProblems(policy, { kind, scopes, old }, warnings);
  return problems.length === 0 ? { warnings, error: '', problems } : refused(warnings, problems);
}

function refused(warnings: readonly string[], problems: readonly Problem[]): PolicyVerdict {
  return { warnings, error: formatAggregate(problems.map(({ message }) => message)), problems };
}

/** The circumstances of a validation. */
interface Circumstances {
  readonly kind: string;
  readonly scopes: KindScopes;
  /** The stored policy; undefined for a creation. */
  readonly old: JsonObject | undefined;
}

function findProblems(
  policy: JsonObject,
  { kind, scopes, old }: Circumstances,
  warnings: string[],
): readonly Problem[] {
  const isNamespaced = kind === 'Policy';
  const spec = objectField(policy, 'spec') ?? {};
  const metadata = objectField(policy, 'metadata') ?? {};
  if (!isNamespaced && stringField(metadata, 'namespace') !== '') {
    const message = 'A clusterpolicy should not have the namespace defined';
    warnings.push(message);
    return [problemAt('metadata.namespace', message)];
  }
  warnings.push(...deprecationWarnings(spec));
  const isBackground = field(spec, 'background') !== false;
  const rules = computeRules(policy, '').map(readRule);
  const inVariables = variableProblem(policy, rules, isBackground);
  if (inVariables !== undefined) return [inVariables];
  const errors = validateFields(policy, isNamespaced, scopes);
  if (errors.length > 0) {
    return errors.map((error) => ({ message: formatFieldError(error), path: pathOf(error.field) }));
  }
  const inProcessing =
    (isNamespaced ? undefined : overridesProblem(spec)) ?? processingProblem(spec);
  if (inProcessing !== undefined) return [inProcessing];
  const storedRules = old && objectsField(objectField(old, 'spec') ?? {}, 'rules');
  const change = storedRules && generateChange(objectsField(spec, 'rules'), storedRules);
  if (change !== undefined) {
    const consequence =
      'no synchronization will be performed to the old target resource upon policy updates';
    warnings.push(`${consequence}: ${change.warning}`);
    return change.error === '' ? [] : [problemAt('spec.rules', change.error)];
  }
  const problem =
    wildcardProblem(rules, isBackground) ??
    (scopes.isCluster ? clusterProblem(rules, isBackground) : undefined) ??
    rulesProblem(policy, kind, rules, warnings);
  return problem === undefined ? [] : [problem];
}

function variableProblem(
  policy: JsonObject,
  rules: readonly JsonObject[],
  isBackground: boolean,
): Problem | undefined {
  const spec = objectField(policy, 'spec') ?? {};
  if (isBackground) {
    const problem = userDataProblem(rules, spec, policyVariables(policy));
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
function policyVariables(policy: JsonObject): readonly string[] {
  const metadata = objectField(policy, 'metadata') ?? {};
  const annotations = objectField(metadata, 'annotations') ?? {};
  const plain = Object.hasOwn(annotations, lastApplied)
    ? { ...policy, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: '' } } }
    : policy;
  const { status: _status, ...rest } = plain;
  return variablesOf(formatJson(writePolicy(rest)));
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
    const inExisting = existingProblem(rule, policy, rules, spec, at);
    if (inExisting !== undefined) return inExisting;
    warnings.push(...predicateWarnings(rule), ...operatorWarnings(rule));
  }
  return undefined;
}

const textLabels =
  'labels and annotations supports only string values, "use double quotes around the non string values"';

/** Reports variables that events of a cluster cannot provide, in rules that run when the policy itself changes. */
function existingProblem(
  rule: JsonObject,
  policy: JsonObject,
  rules: readonly JsonObject[],
  spec: JsonObject,
  at: number,
): Problem | undefined {
  const place = `spec.rules[${at}]`;
  const mutate = objectField(rule, 'mutate');
  if (mutate === undefined || !saysSomething(mutate)) return undefined;
  const own = field(mutate, 'mutateExistingOnPolicyUpdate');
  if ((own ?? field(spec, 'mutateExistingOnPolicyUpdate')) !== true) return undefined;
  const variables = policyVariables(policy);
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
