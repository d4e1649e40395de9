import type { JsonObject } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import type { RuleType } from '../trace/rule-result.ts';
import type { CompileProblem } from './compile-expressions.ts';
import { scheduleProblem } from './schedule.ts';

/** A policy whose expressions compile. */
interface ValidatedPolicy {
  readonly type: RuleType;
  /** The mode of evaluation; policies about anything but objects of Kubernetes have no constraints. */
  readonly mode: string;
  readonly spec: JsonObject;
  /** The namespace of the policy; empty for policies of the cluster. */
  readonly namespace: string;
  /** The names of variables that the expressions of the spec use. */
  readonly names: ReadonlySet<string>;
}

/** Returns why Kyverno's webhook refuses to store a policy although it compiles (Kyverno's `Validate`). */
export function refusalsOf({
  type,
  mode,
  spec,
  namespace,
  names,
}: ValidatedPolicy): readonly CompileProblem[] {
  return [
    ...(mode !== 'Kubernetes' || type === 'ImageVerify' ? [] : missingRules(spec)),
    ...(type === 'Deletion' ? scheduleProblems(spec) : []),
    ...(type === 'Mutation' ? idleProblems(spec) : []),
    ...(namespace === '' ? [] : foreignNames(names)),
  ];
}

function missingRules(spec: JsonObject): readonly CompileProblem[] {
  const path = 'spec.matchConstraints';
  if (objectsField(objectField(spec, 'matchConstraints') ?? {}, 'resourceRules').length > 0) {
    return [];
  }
  const reason = 'a matchConstraints with at least one resource rule is required';
  return [{ path, message: `${path}: Required value: ${reason}` }];
}

function idleProblems(spec: JsonObject): readonly CompileProblem[] {
  const evaluation = objectField(spec, 'evaluation') ?? {};
  const isEnabled = (name: string): unknown =>
    field(objectField(evaluation, name) ?? {}, 'enabled');
  if (isEnabled('admission') !== false || isEnabled('mutateExisting') === true) return [];
  const path = 'spec.evaluation';
  const reason = 'disabling both admission and mutateExisting evaluation modes is not allowed';
  return [{ path, message: `${path}: Forbidden: ${reason}` }];
}

function scheduleProblems(spec: JsonObject): readonly CompileProblem[] {
  const path = 'spec.schedule';
  const schedule = stringField(spec, 'schedule');
  if (schedule === '') return [{ path, message: `${path}: Required value: schedule is required` }];
  const problem = scheduleProblem(schedule);
  if (problem === undefined) return [];
  const reason = `schedule spec in the deletingPolicy is not in proper cron format: ${problem}`;
  return [{ path, message: `${path}: Invalid value: ${quote(schedule)}: ${reason}` }];
}

/**
 * Reports names that policies of a namespace must not use, because they reach beyond the namespace (Kyverno's
 * `Validate`).
 */
function foreignNames(names: ReadonlySet<string>): readonly CompileProblem[] {
  const forbidden = [
    ['globalContext', 'globalContext.* is not allowed in namespaced policies'],
    [
      'http',
      'http.* is not allowed in namespaced policies; set --allowHTTPInNamespacedPolicies to enable',
    ],
  ] as const;
  return forbidden
    .filter(([name]) => names.has(name))
    .map(([, reason]) => ({ path: 'spec', message: `spec: Forbidden: ${reason}` }));
}
