import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { formatFieldPath } from '@kubeadmit/apimachinery/internal';
import { lazily } from '@kubeadmit/base';
import { formatIssues } from '@kubeadmit/cel';
import { quote } from '@kubeadmit/go/internal';
import { policyEnvironment } from '../cel-policies/environment.ts';
import type { Problem } from './problem.ts';

type Path = readonly (string | number)[];

/** The fields of a policy that contain an expression. */
const expressionFields: ReadonlySet<string> = new Set([
  'expression',
  'messageExpression',
  'valueExpression',
]);

const environment = lazily(() => policyEnvironment('Validation', '', () => 0, new Map()));

/**
 * Returns the syntax errors in the expressions of an ImageValidatingPolicy. Types are not checked: the functions that
 * verify images are not declared here.
 */
export function validateImagePolicy(source: JsonObject): readonly Problem[] {
  return syntaxErrors(source['spec'], ['spec']);
}

function syntaxErrors(value: unknown, path: Path): readonly Problem[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => syntaxErrors(item, [...path, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    const at = [...path, name];
    const isExpression = expressionFields.has(name) && typeof held === 'string';
    return isExpression ? syntaxError(held, at) : syntaxErrors(held, at);
  });
}

function syntaxError(expression: string, path: Path): readonly Problem[] {
  const { source, issues } = environment().parse(expression);
  if (issues.length === 0) return [];
  const reason = formatIssues(source, issues);
  const message = `${formatFieldPath(path)}: Invalid value: ${quote(expression)}: ${reason}`;
  return [{ message, path }];
}
