import type { JsonObject } from '@kubeadmit/apimachinery';
import { deepEqual, formatJson } from '@kubeadmit/go';
import { kindsOf } from '../autogen/kinds.ts';
import {
  field,
  objectField,
  objectsField,
  saysSomething,
  stringField,
  textsField,
} from '../fields/fields.ts';
import { plainKind } from '../match/kind.ts';
import { writeTyped } from './read-policy.ts';

/** Warnings about failure actions in lower case (`deprecations.PolicyFieldWarnings`). */
export function deprecationWarnings(spec: JsonObject): readonly string[] {
  const places: string[] = [];
  const look = (owner: JsonObject, name: string, place: string): void => {
    const action = stringField(owner, name);
    if (action === 'enforce' || action === 'audit') places.push(place);
  };
  look(spec, 'validationFailureAction', 'spec.validationFailureAction');
  for (const [at, override] of objectsField(spec, 'validationFailureActionOverrides').entries()) {
    look(override, 'action', `spec.validationFailureActionOverrides[${at}].action`);
  }
  for (const [at, rule] of objectsField(spec, 'rules').entries()) {
    const validate = objectField(rule, 'validate') ?? {};
    const place = `spec.rules[${at}].validate`;
    look(validate, 'failureAction', `${place}.failureAction`);
    for (const [index, override] of objectsField(validate, 'failureActionOverrides').entries()) {
      look(override, 'action', `${place}.failureActionOverrides[${index}].action`);
    }
  }
  return places.map(
    (place) =>
      `${place}: Validation failure actions enforce/audit are deprecated, use Enforce/Audit instead.`,
  );
}

/** A warning about JSON patches on pods, in rules with the legacy filter. */
export function patchOnPodWarning(rule: JsonObject): string | undefined {
  const mutate = objectField(rule, 'mutate') ?? {};
  const own = textsField(objectField(objectField(rule, 'match') ?? {}, 'resources') ?? {}, 'kinds');
  return own.includes('Pod') && stringField(mutate, 'patchesJson6902') !== ''
    ? 'Pods managed by workload controllers should not be directly mutated using policies. Use the autogen feature or write policies that match Pod controllers.'
    : undefined;
}

const standardControllers = ['cronjob', 'daemonset', 'deployment', 'job', 'statefulset'];

/** A warning about pods of controllers that are kept out of generation. */
export function autogenWarning(rule: JsonObject, policy: JsonObject): string | undefined {
  const annotations = objectField(objectField(policy, 'metadata') ?? {}, 'annotations') ?? {};
  const written = field(annotations, 'pod-policies.kyverno.io/autogen-controllers');
  if (typeof written !== 'string' || written === 'none') return undefined;
  if (deepEqual(written.toLowerCase().split(',').sort(), standardControllers)) return undefined;
  const kinds = new Set(kindsOf(objectField(rule, 'match')).map(plainKind));
  return kinds.size === 1 && kinds.has('Pod')
    ? 'Policies that match Pods apply to all Pods including those created and managed by controllers excluded from autogen. Use preconditions to exclude the Pods managed by controllers which are excluded from autogen. Refer to https://kyverno.io/docs/policy-types/cluster-policy/autogen/ for details.'
    : undefined;
}

/** Warnings about fields that belong to subresources which the rule does not match. */
export function subresourceWarnings(rule: JsonObject): readonly string[] {
  const kinds = [...kindsOf(objectField(rule, 'match')), ...kindsOf(objectField(rule, 'exclude'))];
  const warnings: string[] = [];
  const validate = objectField(rule, 'validate');
  if (validate !== undefined && saysSomething(validate)) {
    const deny = objectField(validate, 'deny');
    const shown = deny === undefined ? validate : { ...validate, deny: {} };
    warnings.push(...mentions(formatJson(writeTyped(shown, 'v1.Validation')), kinds));
  }
  const mutate = objectField(rule, 'mutate');
  if (mutate !== undefined && saysSomething(mutate)) {
    const targets = objectsField(mutate, 'targets').map((target) => stringField(target, 'kind'));
    warnings.push(
      ...mentions(formatJson(writeTyped(mutate, 'v1.Mutation')), [...kinds, ...targets]),
    );
  }
  return warnings;
}

function mentions(written: string, kinds: readonly string[]): readonly string[] {
  const isMatched = (subresource: string): boolean =>
    kinds.some((kind) => kind.toLowerCase().includes(subresource));
  const warnings: string[] = [];
  if (written.includes('replicas') && !isMatched('scale')) {
    warnings.push(
      'You are matching on replicas but not including the scale subresource in the policy.',
    );
  }
  const hasStatus = written.includes('.status') || written.includes('"status":');
  if (hasStatus && !isMatched('status')) {
    warnings.push(
      'You are matching on status but not including the status subresource in the policy.',
    );
  }
  return warnings;
}

/** Warnings about attestations with `predicateType`. */
export function predicateWarnings(rule: JsonObject): readonly string[] {
  return objectsField(rule, 'verifyImages')
    .flatMap((item) => objectsField(item, 'attestations'))
    .map((attestation) => stringField(attestation, 'predicateType'))
    .filter((type) => type !== '')
    .map(
      (type) =>
        `predicateType has been deprecated use 'type: ${type}' instead of 'predicateType: ${type}'`,
    );
}
