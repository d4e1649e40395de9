import type { FieldError, JsonObject } from '@kubeadmit/apimachinery';
import { forbidden, invalid, tooLong } from '@kubeadmit/apimachinery/field-errors';
import { byteLength } from '@kubeadmit/go';
import {
  field,
  listField,
  objectField,
  objectsField,
  saysSomething,
  stringField,
} from '../fields/fields.ts';
import { validateGeneration } from './generate.ts';
import type { KindScopes, PolicySetting } from './kind-scopes.ts';
import { validateConflict, validateFilters } from './match-exclude.ts';
import { writeRule } from './read-policy.ts';

const longestName = 63;

/** The findings of the policy's own types, all at once (`ClusterPolicy.Validate`, `Spec.Validate`, `Rule.Validate`). */
export function validateFields(
  policy: JsonObject,
  isNamespaced: boolean,
  scopes: KindScopes,
): readonly FieldError[] {
  const metadata = objectField(policy, 'metadata') ?? {};
  const annotations = objectField(metadata, 'annotations') ?? {};
  const spec = objectField(policy, 'spec') ?? {};
  const errors: FieldError[] = [];
  if (field(annotations, 'pod-policies.kyverno.io/autogen-controllers') === 'all') {
    const detail =
      "Autogen annotation does not support 'all' anymore, remove the annotation or set it to a valid value";
    errors.push(forbidden('metadata.annotations', detail));
  }
  if (byteLength(stringField(metadata, 'name')) > longestName) {
    errors.push(tooLong('name', longestName));
  }
  const namespace = stringField(metadata, 'namespace');
  return [...errors, ...validateSpec(spec, { isNamespaced, namespace, scopes })];
}

function validateSpec(spec: JsonObject, setting: PolicySetting): readonly FieldError[] {
  const rules = objectsField(spec, 'rules');
  const errors = [...replacedFields(spec), ...missingTargets(spec, rules), ...timeouts(spec)];
  const written = rules.map(writeRule);
  const names = new Set<string>();
  for (const [at, rule] of rules.entries()) {
    const name = stringField(rule, 'name');
    if (names.has(name)) {
      const detail = `Duplicate rule name: '${name}'`;
      errors.push(invalid(`spec.rules[${at}].name`, written[at], detail));
    }
    names.add(name);
  }
  for (const [at, rule] of rules.entries()) {
    const path = `spec.rules[${at}]`;
    errors.push(...validateRule(rule, written[at] ?? {}, path, setting));
  }
  if (setting.isNamespaced && listField(spec, 'validationFailureActionOverrides').length > 0) {
    const detail = 'Use of validationFailureActionOverrides is supported only with ClusterPolicy';
    errors.push(forbidden('spec.validationFailureActionOverrides', detail));
  }
  return errors;
}

function replacedFields(spec: JsonObject): readonly FieldError[] {
  const webhook = objectField(spec, 'webhookConfiguration') ?? {};
  const errors: FieldError[] = [];
  for (const [old, name] of [
    ['webhookTimeoutSeconds', 'timeoutSeconds'],
    ['failurePolicy', 'failurePolicy'],
  ] as const) {
    if (field(spec, old) === undefined || field(webhook, name) === undefined) continue;
    const detail = `remove the deprecated field and use spec.webhookConfiguration.${name} instead`;
    errors.push(forbidden(`spec.${old}`, detail));
  }
  if (field(spec, 'generateExistingOnPolicyUpdate') !== undefined) {
    const detail = 'remove the deprecated field and use spec.generate[*].generateExisting instead';
    errors.push(forbidden('spec.generateExistingOnPolicyUpdate', detail));
  }
  return errors;
}

function missingTargets(spec: JsonObject, rules: readonly JsonObject[]): readonly FieldError[] {
  return rules.flatMap((rule, at) => {
    const mutate = objectField(rule, 'mutate') ?? {};
    const isOnUpdate =
      field(spec, 'mutateExistingOnPolicyUpdate') === true ||
      field(mutate, 'mutateExistingOnPolicyUpdate') === true;
    if (!saysSomething(mutate) || !isOnUpdate || listField(mutate, 'targets').length > 0) return [];
    const detail = `rules[${at}].mutate.targets has to be specified when mutateExistingOnPolicyUpdate is set`;
    return [forbidden('spec.mutateExistingOnPolicyUpdate', detail)];
  });
}

function timeouts(spec: JsonObject): readonly FieldError[] {
  const webhook = objectField(spec, 'webhookConfiguration') ?? {};
  const given: readonly [string, unknown][] = [
    ['spec.webhookTimeoutSeconds', field(spec, 'webhookTimeoutSeconds')],
    ['spec.webhookConfiguration.timeoutSeconds', field(webhook, 'timeoutSeconds')],
  ];
  return given.flatMap(([path, seconds]) =>
    typeof seconds === 'number' && (seconds < 1 || seconds > 30)
      ? [invalid(path, seconds, 'the timeout value must be between 1 and 30 seconds')]
      : [],
  );
}

/** Whether a list has an item that says something. */
export function verifiesImages(rule: JsonObject): boolean {
  return objectsField(rule, 'verifyImages').some(saysSomething);
}

function validateRule(
  rule: JsonObject,
  written: JsonObject,
  path: string,
  setting: PolicySetting,
): readonly FieldError[] {
  const { isNamespaced, namespace } = setting;
  const generate = objectField(rule, 'generate');
  return [
    ...validateOperations(rule, written, path),
    ...validateConflict(rule, written, path),
    ...validateFilters(objectField(rule, 'match'), `${path}.match`, setting),
    ...validateFilters(objectField(rule, 'exclude'), `${path}.exclude`, setting),
    ...(isNamespaced ? foreignTargets(rule, path, namespace) : []),
    ...validateControls(rule, path),
    ...(saysSomething(generate) ? validateGeneration(generate ?? {}, path, setting) : []),
  ];
}

function validateOperations(
  rule: JsonObject,
  written: JsonObject,
  path: string,
): readonly FieldError[] {
  const name = stringField(rule, 'name');
  const count =
    ['mutate', 'validate', 'generate'].filter((part) => saysSomething(objectField(rule, part)))
      .length + (verifiesImages(rule) ? 1 : 0);
  const errors: FieldError[] = [];
  if (count === 0) {
    const detail = `No operation defined in the rule '${name}'.(supported operations: mutate,validate,generate,verifyImages)`;
    errors.push(invalid(path, written, detail));
  } else if (count > 1) {
    const detail = `Multiple operations defined in the rule '${name}', only one operation (mutate,validate,generate,verifyImages) is allowed per rule`;
    errors.push(invalid(path, written, detail));
  }
  if (field(rule, 'imageExtractors') !== undefined && !verifiesImages(rule)) {
    const detail = `Invalid rule spec for rule '${name}', imageExtractors can only be defined for verifyImages rule`;
    errors.push(invalid(`${path}.imageExtractors`, written, detail));
  }
  return errors;
}

function foreignTargets(rule: JsonObject, path: string, own: string): readonly FieldError[] {
  const targets = objectsField(objectField(rule, 'mutate') ?? {}, 'targets');
  return targets.flatMap((target, at) => {
    const namespace = stringField(target, 'namespace');
    if (namespace === '' || namespace === own) return [];
    const detail =
      'This field can be ignored or should have value of the namespace where the policy is being created';
    return [invalid(`${path}.targets[${at}].namespace`, namespace, detail)];
  });
}

const restrictedControls = [
  'Volume Types',
  'Privilege Escalation',
  'Running as Non-root',
  'Running as Non-root user',
];
const podControls = ['Host Namespaces', 'HostPath Volumes', 'Sysctls', 'Volume Types'];
const containerControls = [
  'Capabilities',
  'Privileged Containers',
  'Host Ports',
  '/proc Mount Type',
  'Privilege Escalation',
];

/** Validates the exclusions of `validate.podSecurity` (`ValidatePSaControlNames`). */
function validateControls(rule: JsonObject, path: string): readonly FieldError[] {
  const podSecurity = objectField(objectField(rule, 'validate') ?? {}, 'podSecurity') ?? {};
  const isBaseline = stringField(podSecurity, 'level') === 'baseline';
  return objectsField(podSecurity, 'exclude').flatMap((exclude, at) => {
    const place = `${path}.podSecurity.exclude[${at}]`;
    const control = stringField(exclude, 'controlName');
    const errors = [...validateExclusion(exclude, control, place)];
    if (isBaseline && restrictedControls.includes(control)) {
      const detail = 'Invalid control name defined at the given level';
      errors.push(invalid(`${place}.controlName`, control, detail));
    }
    return errors;
  });
}

/** Validates an exclusion of a control (`PodSecurityStandard.Validate`). */
export function validateExclusion(
  exclude: JsonObject,
  control: string,
  place: string,
): readonly FieldError[] {
  const hasImages = listField(exclude, 'images').length > 0;
  const hasValues = listField(exclude, 'values').length > 0;
  const hasField = stringField(exclude, 'restrictedField') !== '';
  const errors: FieldError[] = [];
  if (containerControls.includes(control)) {
    const detail = 'exclude.images must be specified for the container level control';
    if (!hasImages) errors.push(invalid(`${place}.controlName`, control, detail));
  } else if (podControls.includes(control) && hasImages) {
    const detail = 'exclude.images must not be specified for the pod level control';
    errors.push(invalid(`${place}.controlName`, control, detail));
  }
  if (hasField && !hasValues) errors.push(forbidden(`${place}.values`, 'values is required'));
  if (!hasField && hasValues) {
    errors.push(forbidden(`${place}.restrictedField`, 'restrictedField is required'));
  }
  return errors;
}
