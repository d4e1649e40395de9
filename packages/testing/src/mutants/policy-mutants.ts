import { member, memberList } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { writtenExpressions } from '@kubeadmit/lint/unstable-internal';
import { Manifest, type Path, type Place, parseFieldPath } from '@kubeadmit/manifest';
import { expressionMutants } from './expression-mutants.ts';

/** A policy with one thing changed. */
export interface PolicyMutant {
  /** The unchanged policy. */
  readonly original: Manifest;
  /** The policy with the change. */
  readonly manifest: Manifest;
  /** The changed field: `spec.validations[0].expression`. */
  readonly path: string;
  /** Where it is. */
  readonly place: Place;
  /** A description of the change. */
  readonly change: string;
}

/**
 * Policies that differ from one in one thing that tests should notice: an operator, limit, name or guard of an
 * expression; a condition or validation that is always true; a message; an operation or resource of a rule.
 */
export function policyMutants(policy: Manifest): readonly PolicyMutant[] {
  const made: PolicyMutant[] = [];
  const spec = member(policy.object, 'spec');
  const add = (path: string, value: unknown, change: string, within?: number): void => {
    const steps = parseFieldPath(path);
    const object = withValue(policy.object, steps, value) as Manifest['object'];
    const manifest = new Manifest(object, policy.origin, policy.path);
    const place = within === undefined ? policy.place(steps) : policy.place(steps, within);
    made.push({ original: policy, manifest, path, place, change });
  };
  for (const { field: path, role, text } of writtenExpressions(spec)) {
    if (role === 'validation') add(path, 'true', 'is set to `true`');
    if (role === 'matchCondition') add(path, 'true', 'is set to `true`');
    for (const { offset, text: changed, change } of expressionMutants(text)) {
      add(path, changed, change, offset);
    }
  }
  for (const [index, validation] of memberList(spec, 'validations').entries()) {
    const message = member(validation, 'message');
    const hasExpression = member(validation, 'messageExpression') !== undefined;
    if (typeof message === 'string' && !hasExpression) {
      add(`spec.validations[${index}].message`, `${message}~`, 'is changed');
    }
  }
  const rules = memberList(member(spec, 'matchConstraints'), 'resourceRules');
  for (const [index, rule] of rules.entries()) {
    for (const name of ['operations', 'resources'] as const) {
      const path = `spec.matchConstraints.resourceRules[${index}].${name}`;
      const items = memberList(rule, name);
      if (items.length < 2) continue;
      for (const [at, item] of items.entries()) {
        add(
          path,
          items.filter((_, other) => other !== at),
          `has \`${String(item)}\` removed`,
        );
      }
    }
  }
  return made;
}

function withValue(target: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((item, at) => (at === step ? withValue(item, rest, value) : item));
  }
  const copy: Record<string, unknown> = { ...(target as Readonly<Record<string, unknown>>) };
  setKey(copy, String(step), withValue(copy[step], rest, value));
  return copy;
}
