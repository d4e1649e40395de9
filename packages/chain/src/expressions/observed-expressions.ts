import { member } from '@kubeadmit/apimachinery';
import { CelError } from '@kubeadmit/cel';
import type { ObservedEvaluation, PolicySpec } from '@kubeadmit/engine';
import { parameterText } from '../findings/findings.ts';
import type { ExplainedExpression } from './explained-expression.ts';
import { type StepOptions, stepsOf } from './expression-steps.ts';
import { type LineOfPath, type ObjectPath, objectPath } from './object-paths.ts';
import { valueText } from './value-text.ts';

/** Everything that one evaluation of a policy with one binding and parameter evaluated. */
export type EvaluationGroup = readonly ObservedEvaluation[];

/**
 * Groups the recorded evaluations of one policy: a new group starts when an expression is evaluated again.
 * Variables belong to the expressions that read them, which are reported later.
 */
export function groupsOf(seen: readonly ObservedEvaluation[]): readonly EvaluationGroup[] {
  const groups: ObservedEvaluation[][] = [];
  let paths = new Set<string>();
  let variables: ObservedEvaluation[] = [];
  for (const evaluation of seen) {
    const path = pathOf(evaluation);
    if (isVariable(path)) {
      variables.push(evaluation);
      continue;
    }
    if (groups.length === 0 || paths.has(path)) {
      groups.push([]);
      paths = new Set();
    }
    paths.add(path);
    groups.at(-1)?.push(...variables, evaluation);
    variables = [];
  }
  return groups;
}

/** Whether something was evaluated below a field of the spec: `spec.mutations`. */
export function hasEvaluated(group: EvaluationGroup, field: string): boolean {
  return group.some((evaluation) => pathOf(evaluation).startsWith(field));
}

/** The options of explaining expressions. */
export interface ExpressionOptions {
  /** The spec of the policy. */
  readonly spec: PolicySpec;
  /** Returns the line of a value that an expression reads. */
  readonly lineOf: LineOfPath;
  /** Returns the line of a position in an expression of the policy. */
  readonly lineWithin: (path: string, within: number) => number;
  /** The maximum length of values, in UTF-16 units. */
  readonly longestValue: number;
  /** The number of loop rounds that are shown completely. */
  readonly mostTurns: number;
}

/** Explains the expressions of an evaluation, with their inner values. */
export function explainExpressions(
  group: EvaluationGroup,
  options: ExpressionOptions,
): readonly ExplainedExpression[] {
  const variables = new Map<string, ObjectPath>();
  return group.map((evaluation) => {
    const { checked, value, cost } = evaluation;
    const path = pathOf(evaluation);
    const steps: StepOptions = {
      ...options,
      variables,
      policyLine: (position) => options.lineWithin(path, position),
    };
    if (isVariable(path)) {
      const read = objectPath(checked.expression, new Map(), variables);
      const name = options.spec.variables?.[Number(/\d+/.exec(path)?.[0])]?.name;
      if (read !== undefined && name !== undefined) variables.set(name, read);
    }
    const result =
      value instanceof CelError
        ? { error: value.message }
        : { value: valueText(value, options.longestValue) };
    const expression = checked.source.text;
    const told = { path, expression, ...result, cost, ...stepsOf(evaluation, steps) };
    evaluations.set(told, evaluation);
    return told;
  });
}

const evaluations = new WeakMap<ExplainedExpression, ObservedEvaluation>();

/** Returns the recorded evaluation of an explained expression, with all inner values; `undefined` for a copy. */
export function evaluationOf(expression: ExplainedExpression): ObservedEvaluation | undefined {
  return evaluations.get(expression);
}

function pathOf({ home }: ObservedEvaluation): string {
  return home?.path ?? '';
}

function isVariable(path: string): boolean {
  return path.startsWith('spec.variables');
}

/** The parameter that a rule was evaluated with, as people write it: `name` or `namespace/name`. */
export function parameterOf({ parameter }: ObservedEvaluation): string | undefined {
  const metadata = member(parameter, 'metadata');
  const [name, namespace = ''] = [member(metadata, 'name'), member(metadata, 'namespace')];
  return typeof name === 'string'
    ? parameterText({ name, namespace: String(namespace) })
    : undefined;
}

/** Returns an explained expression as written in the policy from which Kyverno generated it. */
export function asWritten(
  explained: ExplainedExpression,
  writtenFor: (expression: string) => string = (expression) => expression,
): ExplainedExpression {
  const expression = writtenFor(explained.expression);
  if (expression === explained.expression) return explained;
  const steps = explained.steps.map((step) => ({
    ...step,
    expression: writtenFor(step.expression),
  }));
  return { ...explained, expression, steps };
}
