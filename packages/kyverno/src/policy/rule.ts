import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import type { Failure } from '../jmespath/failure.ts';
import { compileMatch, type Match } from '../match/match.ts';
import { field, listField, objectField, objectsField, stringField } from './fields.ts';

/** A rule of a policy, with what every request needs of it ready. */
export interface Rule {
  readonly name: string;
  readonly source: JsonObject;
  readonly match: Match;
  readonly context: readonly JsonObject[];
  readonly preconditions: Conditions | Failure;
  readonly hasPreconditions: boolean;
  readonly validate: JsonObject | undefined;
  /** What evaluates `validate`. */
  readonly validation: 'manifests' | 'podSecurity' | 'cel' | 'other';
  readonly mutate: JsonObject | undefined;
}

/** Reads a rule. */
export function compileRule(source: JsonObject): Rule {
  const preconditions = field(source, 'preconditions');
  const validate = presentField(source, 'validate', validateFields);
  return {
    name: stringField(source, 'name'),
    source,
    match: compileMatch(source),
    context: objectsField(source, 'context'),
    preconditions: compileConditions(preconditions),
    hasPreconditions: preconditions !== undefined,
    validate,
    validation: validate === undefined ? 'other' : validationOf(validate),
    mutate: presentField(source, 'mutate', mutateFields),
  };
}

function validationOf(validate: JsonObject): Rule['validation'] {
  const manifests = objectField(validate, 'manifests');
  if (manifests !== undefined && listField(manifests, 'attestors').length > 0) return 'manifests';
  if (presentField(validate, 'podSecurity', podSecurityFields)) return 'podSecurity';
  return presentField(validate, 'cel', celFields) ? 'cel' : 'other';
}

const mutateFields: readonly string[] = [
  ...['targets', 'foreach', 'patchStrategicMerge', 'patchesJson6902'],
  'mutateExistingOnPolicyUpdate',
];
const validateFields: readonly string[] = [
  ...['message', 'failureAction', 'failureActionOverrides', 'allowExistingViolations', 'manifests'],
  ...['foreach', 'pattern', 'anyPattern', 'deny', 'podSecurity', 'cel', 'assert'],
];
const podSecurityFields: readonly string[] = ['level', 'version', 'exclude'];
const celFields: readonly string[] = [
  ...['generate', 'expressions', 'paramKind', 'paramRef', 'auditAnnotations', 'variables'],
];

/** A part of a rule that says something: other fields than these are not in Go's type. */
function presentField(
  source: JsonObject,
  name: string,
  fields: readonly string[],
): JsonObject | undefined {
  const value = objectField(source, name);
  if (value === undefined) return undefined;
  const isPresent = fields.some((key) => {
    const said = field(value, key);
    return said !== undefined && said !== null && said !== '';
  });
  return isPresent ? value : undefined;
}

/** Whether a map has a member that is not what Go's types hold anyway. */
export function saysSomething(source: JsonObject | undefined): boolean {
  return Object.values(source ?? {}).some((said) => said !== null && said !== '');
}
