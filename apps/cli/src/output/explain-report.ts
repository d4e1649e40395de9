import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPolicy,
  Explanation,
} from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go';
import { version } from '../version.ts';
import { indentLines, printable, type Style } from './style.ts';

/** Explanations for programs: one document. */
export function explainJson(explanations: readonly Explanation[]): string {
  const results = explanations.map(({ title: _title, ...rest }) => rest);
  return `${stringifyJson({ version, results }, { indent: 2 })}\n`;
}

/** Explanations for people. */
export function explainText(explanations: readonly Explanation[], style: Style): string {
  return explanations.map((each) => objectText(each, style)).join('\n');
}

function objectText(explanation: Explanation, style: Style): string {
  const { title, file, line, operation, allowed, message, policies } = explanation;
  const verdict = allowed ? style.green('allowed') : style.red('denied');
  const where = style.dim(`(${printable(file)}, line ${line}, ${printable(operation)})`);
  const why = message === undefined ? '' : `${indentLines(printable(message), '  ')}\n`;
  const texts = policies.map((policy) => policyText(policy, style));
  return `${style.bold(printable(title))} ${where}: ${verdict}\n${why}${texts.join('')}`;
}

function policyText(policy: ExplainedPolicy, style: Style): string {
  const { kind, policy: name, matched, reason, message, bindings } = policy;
  const word = matched ? 'matches' : style.dim('does not match');
  const head = `  ${kind} ${style.bold(printable(name))} ${word}: ${printable(reason)}\n`;
  const problem = message === undefined ? '' : `    ${style.red(printable(message))}\n`;
  return `${head}${problem}${bindings.map((each) => bindingText(each, style)).join('')}`;
}

function bindingText(binding: ExplainedBinding, style: Style): string {
  const { binding: name, matched, reason, message, evaluations } = binding;
  const word = matched ? 'matches' : style.dim('does not match');
  const why = reason === undefined ? '' : `: ${printable(reason)}`;
  const head = `    binding ${style.bold(printable(name))} ${word}${why}\n`;
  const problem = message === undefined ? '' : `      ${style.red(printable(message))}\n`;
  return `${head}${problem}${evaluations.map((each) => evaluationText(each, style)).join('')}`;
}

function evaluationText(evaluation: ExplainedEvaluation, style: Style): string {
  const { params, outcomes, expressions } = evaluation;
  const head = params === undefined ? '' : `      parameters ${style.bold(printable(params))}\n`;
  const margin = params === undefined ? '      ' : '        ';
  const results = outcomes.map((outcome) => `${margin}${outcomeText(outcome, style)}\n`);
  const texts = expressions.map((each) => indentLines(expressionText(each, style), margin));
  return `${head}${texts.join('')}${results.join('')}`;
}

function outcomeText(outcome: string, style: Style): string {
  const isBad = /: (?:denied|error)|^error/.test(outcome);
  return isBad ? style.red(printable(outcome)) : printable(outcome);
}

function expressionText(expression: ExplainedExpression, style: Style): string {
  const { path, value, error, cost, steps } = expression;
  const result =
    error === undefined ? printable(value ?? '') : style.red(`error: ${printable(error)}`);
  const lines = [
    `${style.dim(path)} = ${result} ${style.dim(`(cost ${cost})`)}`,
    `  ${style.dim(printable(oneLine(expression.expression)))}`,
    ...steps.map((step) => `  ${printable(step.expression)} = ${printable(step.value)}`),
  ];
  return `${lines.join('\n')}\n`;
}

const longestExpression = 300;

function oneLine(expression: string): string {
  const text = expression.trim().replaceAll(/\s*\n\s*/g, ' ');
  return text.length > longestExpression ? `${text.slice(0, longestExpression)}…` : text;
}
